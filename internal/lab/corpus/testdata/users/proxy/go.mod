module example.org/proxytry

go 1.26
