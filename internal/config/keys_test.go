package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A setting that nothing reads is a promise that nobody keeps: every key is asked for somewhere outside this package.
func TestEveryKeyIsObeyed(t *testing.T) {
	var all strings.Builder
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, filepath.Join("..", "config")) {
			return err
		}
		data, err := os.ReadFile(path)
		all.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range Keys {
		if !strings.Contains(all.String(), `"`+k.Name+`"`) {
			t.Errorf("nothing reads %s", k.Name)
		}
	}
}
