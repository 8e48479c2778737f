module github.com/rehearse-go/rehearse

go 1.26.0
