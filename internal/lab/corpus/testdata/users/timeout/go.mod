module example.org/timeouttry

go 1.26
