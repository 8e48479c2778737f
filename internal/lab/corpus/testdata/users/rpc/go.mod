module example.org/rpctry

go 1.26
