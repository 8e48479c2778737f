module example.org/servicestry

go 1.26
