package handle

import (
	"bytes"
	"os"
	"path/filepath"
)

// What the guard needs to go on is on the machine, so that it is told here: the program
// that runs, and the settings in which agents have it registered.

// Program returns the names of this program: as the client called it, and what that is.
func Program() []string {
	var names []string
	if len(os.Args) > 0 && filepath.IsAbs(os.Args[0]) {
		names = append(names, filepath.ToSlash(filepath.Clean(os.Args[0])))
	}
	if self, err := os.Executable(); err == nil {
		if self = filepath.ToSlash(self); len(names) == 0 || names[0] != self {
			names = append(names, self)
		}
	}
	return names
}

// maxSettings bounds a file of settings that is looked into; what is larger counts as one
// in which the guard is registered.
const maxSettings = 1 << 20

// Registers reports a file of an agent's settings that names the guard. Every form of a
// registration does, and little else in such a file. A link counts as what it leads to.
func Registers(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if info.Size() > maxSettings {
		return true
	}
	data, err := os.ReadFile(path)
	return err != nil || bytes.Contains(data, []byte("moai"))
}
