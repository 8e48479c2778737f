module example.org/unixtry

go 1.26
