module example.org/httptry

go 1.26
