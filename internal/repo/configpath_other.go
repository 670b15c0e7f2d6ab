//go:build !windows && !darwin

package repo

func systemConfigs() []string { return []string{"/etc/gitconfig"} }
