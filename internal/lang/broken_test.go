package lang_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/lang"
)

// TestBrokenManifests looks at manifests of which somebody, or some program, has taken a part away: whatever is left, a detection ends with an answer.
func TestBrokenManifests(t *testing.T) {
	archives, err := filepath.Glob("../../testdata/manifests/*.txtar")
	kit.Must(t, err)
	files := []txtar.File{
		{Name: "Makefile", Data: []byte("all:\n\t@ echo see INSTALL\n\t-\n\t@#\n\ntest: ; @\nclean:\n\t+\n")},
		{Name: "justfile", Data: []byte("set shell := ['sh']\n@test *args: build\n    go test\n")},
		{Name: "Taskfile.yml", Data: []byte("tasks:\n  \"test:unit\":\n    cmds:\n      - build: x\n  lint: {cmd: x}\n")},
		{Name: ".github/workflows/ci.yml", Data: []byte("jobs:\n  a:\n    steps:\n      - uses: actions/setup-go@v5\n        with:\n          go-version: '1.26'\n      - run: |\n          make test\n          go vet ./...\n")},
	}
	for _, path := range archives {
		data, err := os.ReadFile(path)
		kit.Must(t, err)
		files = append(files, txtar.Parse(data).Files...)
	}
	if len(files) < 20 {
		t.Fatalf("only %d manifests", len(files))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, file := range files {
		name := file.Name
		if i := strings.LastIndexByte(name, '/'); i >= 0 && !strings.HasPrefix(name, ".github/") {
			name = name[i+1:]
		}
		dir := t.TempDir()
		for range 8 {
			put(t, dir, name, string(broken(random, file.Data)))
			detect(t, dir, lang.Options{})
		}
	}
}

// broken takes a few pieces away.
func broken(random *rand.Rand, data []byte) []byte {
	data = append([]byte(nil), data...)
	for range 1 + random.IntN(4) {
		if len(data) == 0 {
			break
		}
		from := random.IntN(len(data))
		upTo := min(len(data), from+1+random.IntN(12))
		data = append(data[:from], data[upTo:]...)
	}
	return data
}
