package checkpoint

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// What a folder of the vault says of its place must fit the folder's name, and only a folder that is no more counts as gone: what
// is removed by it cannot come back.
func TestLeftByForeignPlaces(t *testing.T) {
	vault, present := t.TempDir(), t.TempDir()
	absentDir := filepath.Join(present, "old")
	kit.Must(t, os.WriteFile(filepath.Join(present, "file"), nil, 0o600))
	for _, c := range []struct{ name, place string }{
		{homeName(absentDir), absentDir + "\n"},
		{homeName(filepath.Join(present, "file", "x")), filepath.Join(present, "file", "x") + "\n"},
		{homeName(present), present + "\n"},    // is there
		{homeName(present) + "x", absentDir},   // of another folder
		{"old-0123456789ab", absentDir + "\n"}, // the hash is another's
		{homeName("old"), "old\n"},             // not absolute
		{homeName(absentDir + "2"), ""},        // of an older moai
		{homeName(filepath.Join(absentDir, "3")), "/\x00\n"},
	} {
		dir := filepath.Join(vault, c.name, "1234567890123456789012345678901234567890")
		kit.Must(t, os.MkdirAll(dir, 0o700))
		for name, b := range map[string]string{"0": "KEY=1\n", vaultIndex: "[]\n", "../" + vaultPlace: c.place} {
			kit.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(b), 0o600))
		}
	}
	// A link is no folder of the vault.
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(vault, homeName(outside+"/no"))); err != nil {
		t.Skip(err)
	}
	kit.Must(t, os.WriteFile(filepath.Join(outside, vaultPlace), []byte(outside+"/no\n"), 0o600))
	left, err := FindLeft(nil, vault)
	if err != nil {
		t.Fatal(err)
	}
	if len(left.Gone) != 2 || len(left.Unplaced) != 5 || left.Here.Any() {
		t.Fatalf("gone %+v, unplaced %q, here %+v", left.Gone, left.Unplaced, left.Here)
	}
	for i, l := range left.Gone {
		if l.Files != 1 || l.Bytes != 6 {
			t.Errorf("gone: %+v", l)
		}
		if l.Place == absentDir { // comes back before the removal
			kit.Must(t, os.Mkdir(absentDir, 0o700))
		}
		if err := left.Gone[i].Remove(); err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(filepath.Join(vault, homeName(l.Place))); (err == nil) != (l.Place == absentDir) {
			t.Errorf("%s: after the removal: %v", l.Place, err)
		}
	}
	if list, _ := os.ReadDir(vault); len(list) != 8 {
		t.Errorf("left in the vault: %v", list)
	}
	if _, err := os.Lstat(filepath.Join(outside, vaultPlace)); err != nil {
		t.Error(err)
	}
}
