package disk

import (
	"os"
	"path/filepath"
	"strings"
)

// longestPath is what Linux resolves, and more than other systems do: nothing is at a longer one.
const longestPath = 4096

// Present is the beginning of a clean path up to the last part that is there, "" if that is none. It looks from the top, since what is
// missing may have thousands of parts.
func Present(path string) string {
	if len(path) > longestPath {
		return ""
	}
	const sep = string(filepath.Separator)
	at := len(filepath.VolumeName(path))
	if filepath.IsAbs(path) {
		at++
	}
	there := path[:at]
	for at < len(path) {
		end := at + strings.Index(path[at:]+sep, sep)
		if _, err := os.Lstat(path[:end]); err != nil {
			break
		}
		there, at = path[:end], end+1
	}
	return there
}

// Real is a path with the links on it followed, as far as it is there: one file may be named in two ways.
func Real(path string) string {
	path = filepath.Clean(path)
	if path != filepath.Dir(path) && len(path) <= longestPath {
		if real, err := EvalLinks(path); err == nil {
			return real // it is there, as mostly: each part of it was looked at once, and not twice
		}
	}
	for dir := Present(path); dir != "" && dir != filepath.Dir(dir); dir = filepath.Dir(dir) { // up again where a link leads nowhere
		if real, err := EvalLinks(dir); err == nil {
			return filepath.Join(real, path[len(dir):])
		}
	}
	return path
}
