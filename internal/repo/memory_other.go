//go:build !linux

package repo

func populate[T any]([]T) {}
