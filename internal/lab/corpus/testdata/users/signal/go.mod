module example.org/signaltry

go 1.26
