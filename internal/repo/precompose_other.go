//go:build !darwin && !(linux && (amd64 || arm64))

package repo

func precompose(name string) string { return name }
