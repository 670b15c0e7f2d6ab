package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sync compares outputs with the files under the owned folders of root and lists
// what differs: changed, missing, and orphaned files. With write it also makes
// them equal; unchanged files keep their time, so builds stay cached.
func sync(root string, owned []string, outputs []output, write bool) (stale []string, err error) {
	wanted := make(map[string]bool, len(outputs))
	for _, o := range outputs {
		wanted[o.path] = true
		path := filepath.Join(root, filepath.FromSlash(o.path))
		old, err := os.ReadFile(path)
		// A file that cannot be read is written anew like a missing one.
		if err == nil && bytes.Equal(old, o.data) {
			continue
		}
		stale = append(stale, o.path)
		if !write {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return stale, fmt.Errorf("make folder: %w", err)
		}
		if err := os.WriteFile(path, o.data, 0o644); err != nil {
			return stale, fmt.Errorf("write: %w", err)
		}
	}
	for _, dir := range owned {
		orphans, err := orphansIn(root, dir, wanted)
		if err != nil {
			return stale, err
		}
		stale = append(stale, orphans...)
		for _, o := range orphans {
			if !write {
				continue
			}
			if err := os.Remove(filepath.Join(root, filepath.FromSlash(o))); err != nil {
				return stale, fmt.Errorf("remove orphan: %w", err)
			}
		}
	}
	slices.Sort(stale)
	return stale, nil
}

// orphansIn lists the files below dir that no rule produces any more. Files
// written by hand (doc.go) live beside the family folders, not in them.
func orphansIn(root, dir string, wanted map[string]bool) ([]string, error) {
	var orphans []string
	base := filepath.Join(root, filepath.FromSlash(dir))
	err := filepath.WalkDir(base, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			// A family that was never generated has no folder yet, and no orphans.
			if os.IsNotExist(err) && p == base {
				return fs.SkipAll
			}
			return err
		}
		if d.IsDir() {
			return nil
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		name := strings.ReplaceAll(rel, string(filepath.Separator), "/")
		if !wanted[name] {
			orphans = append(orphans, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for orphans: %w", err)
	}
	return orphans, nil
}
