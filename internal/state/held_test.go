package state

import (
	"os"
	"path/filepath"
	"testing"
)

// Records that cannot be read are no empty folder; what is not there is one.
func TestHeld(t *testing.T) {
	dir := t.TempDir()
	if damaged, err := Held(filepath.Join(dir, "none")); damaged != nil || err != nil {
		t.Errorf("nothing there: %v, %v", damaged, err)
	}
	for name, text := range map[string]string{"a.json": `{"id":"a"}`, "b.json": `{"id":`, "c.json.lock": "", "d.txt": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if damaged, err := Held(dir); len(damaged) != 1 || damaged[0] != "b.json" || err != nil {
		t.Errorf("damaged %v, %v", damaged, err)
	}
	if _, err := Held(filepath.Join(dir, "d.txt")); err == nil {
		t.Error("a file in place of the folder is no folder without records")
	}
}
