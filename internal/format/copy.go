package format

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/modu-ai/moai/internal/disk"
)

// copied lays a text into a folder as a file with the path that it has in the project, with the settings that lie on the way to it:
// formatters look for those in the folders of the file.
func (c *Choice) copied(folder, path string, text []byte) (string, error) {
	rel, err := filepath.Rel(c.Root, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", ErrRefused
	}
	to := filepath.Join(folder, rel)
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return "", fmt.Errorf("make a folder for the copy: %w", err)
	}
	dir := filepath.Dir(rel)
	for range maxLevels {
		for _, name := range c.settings() {
			if b := readPlain(filepath.Join(c.Root, dir, name), maxRead); b != nil {
				_ = os.WriteFile(filepath.Join(folder, dir, name), b, 0o600) // without it there are fewer settings
			}
		}
		if dir == "." {
			break
		}
		dir = filepath.Dir(dir)
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		return "", fmt.Errorf("write the copy: %w", err)
	}
	return to, nil
}

// settings are the files beside others in which a formatter finds its settings.
func (c *Choice) settings() (names []string) {
	names = append(names, c.Config...)
	for _, s := range c.Says {
		if filepath.Base(filepath.FromSlash(s.File)) == s.File {
			names = append(names, s.File)
		}
	}
	return names
}

// readPlain is what a file holds, nil where it is a link, no file or too large.
func readPlain(path string, most int) []byte {
	b, _, err := disk.ReadRegular(os.OpenFile, path, disk.NoFollow, int64(most))
	if err != nil {
		return nil
	}
	return b
}
