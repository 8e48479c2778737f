module example.org/shutdowntry

go 1.26
