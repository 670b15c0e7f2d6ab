package repo

import (
	"os"
	"path/filepath"
)

// systemConfigs: where Git for Windows installs it for everybody or for one user.
func systemConfigs() []string {
	var out []string
	for _, v := range [...]string{"ProgramFiles", "LOCALAPPDATA"} {
		if base := os.Getenv(v); base != "" {
			if v == "LOCALAPPDATA" {
				base = filepath.Join(base, "Programs")
			}
			out = append(out, filepath.Join(base, "Git", "etc", "gitconfig"))
		}
	}
	return out
}
