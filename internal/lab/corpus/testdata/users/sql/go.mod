module example.org/sqltry

go 1.26
