module example.org/ospipetry

go 1.26
