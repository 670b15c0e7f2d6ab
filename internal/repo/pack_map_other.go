//go:build !unix

package repo

import "os"

// mapFile reads the file. A mapping on Windows would keep git from replacing the file.
func mapFile(path string) ([]byte, func([]byte), error) {
	b, err := os.ReadFile(path)
	return b, func([]byte) {}, err
}
