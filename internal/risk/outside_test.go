package risk

import (
	"slices"
	"testing"
)

// What a folder outside the project is called says nothing of who can make its files again: no build of this project fills ~/logs.
func TestFilesOutsideInFoldersOfBuilds(t *testing.T) {
	set := NewSet(builtin(t))
	there := func(in *Input) {
		in.Home, in.Dir, in.Root = "/home/dev", "/home/dev/code/app", "/home/dev/code/app"
		files := []string{"/home/dev/code/out/o.txt", "/home/dev/logs/o.txt", "/home/dev/build/o.txt"}
		in.Exists = func(p string) bool { return slices.Contains(files, p) }
		in.Regular = in.Exists
	}
	for line, want := range map[string]Action{
		"rm ../out/o.txt":                Ask,
		"rm ~/logs/o.txt":                Ask,
		"echo x > ../out/o.txt":          Ask,
		"sed -i s/a/b/ ~/build/o.txt":    Ask,
		"rm ../out/new.txt":              Allow,
		"echo x > ~/logs/new.txt":        Allow,
		"echo x >> ../out/o.txt":         Allow,
		"sed -n 1p ../out/o.txt":         Allow,
		"make -C ../out O=/home/dev/out": Allow,
	} {
		if v := check(t, set, there, line); v.Action != want {
			t.Errorf("Check(%s) = %s %v, want %s", line, v.Action, v.IDs(), want)
		}
	}
}
