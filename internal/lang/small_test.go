package lang_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/modu-ai/moai/internal/kit"
)

// small is a small project in an archive below testdata: NAME/want says what is to be found in it, the other files of NAME/ are the project.
type small struct {
	archive, name string // without the extension
	files         map[string]string
	want          string
}

// smalls are those of a folder of archives; a folder without any fails the test.
func smalls(t *testing.T, folder string) (list []*small) {
	archives, err := filepath.Glob(filepath.Join("..", "..", "testdata", folder, "*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatalf("archives: %q, %v", archives, err)
	}
	for _, archive := range archives {
		a, err := txtar.ParseFile(archive)
		kit.Must(t, err)
		byName := map[string]*small{}
		for _, f := range a.Files {
			name, path, _ := strings.Cut(f.Name, "/")
			s := byName[name]
			if s == nil {
				s = &small{archive: strings.TrimSuffix(filepath.Base(archive), ".txtar"), name: name, files: map[string]string{}}
				byName[name] = s
				list = append(list, s)
			}
			if path == "want" {
				s.want = strings.TrimSpace(string(f.Data))
			} else {
				s.files[path] = string(f.Data)
			}
		}
	}
	return list
}
