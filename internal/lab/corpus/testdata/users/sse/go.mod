module example.org/ssetry

go 1.26
