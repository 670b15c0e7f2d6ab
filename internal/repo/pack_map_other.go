//go:build !unix

package repo

// mapFile reads the file. A mapping on Windows would keep git from replacing the file.
func mapFile(path string) ([]byte, func([]byte), error) {
	f, fi, err := openPlain(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	b, err := readPlain(f, fi)
	return b, func([]byte) {}, err
}
