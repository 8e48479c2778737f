module example.org/socketstry

go 1.26
