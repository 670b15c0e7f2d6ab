//go:build !darwin

package repo

func precompose(name string) string { return name }
