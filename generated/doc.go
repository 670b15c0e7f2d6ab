// Package generated holds nothing itself: its folders are the Go tables and
// tests that gen makes from the rule files under rules/, one package a family.
//
// Edit rules/, then run go generate ./... from the root of the project.
package generated

//go:generate go run ../gen -root ..
