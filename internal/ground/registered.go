package ground

import (
	"bytes"
	"os"
)

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
