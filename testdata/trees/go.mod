module github.com/modu-ai/moai/testdata/trees

go 1.26

require github.com/go-enry/go-enry/v2 v2.9.6

require github.com/go-enry/go-oniguruma v1.2.1 // indirect
