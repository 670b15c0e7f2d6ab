package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
)

// vaultPlace is the file in a repository's folder of the vault that holds the path of its work tree, since the folder's name has no more
// than a hash of it, and in a second line that of the repository, where the checkpoints are: it may outlive a linked work tree.
const vaultPlace = "place"

// maxPlace is longer than any path that a system takes.
const maxPlace = 64 << 10

// Left is what lies in the vault for a repository that is gone.
type Left struct {
	Place string `json:"place"` // its work tree
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
	// Here says that another repository lies at that place now.
	Here bool `json:"here,omitempty"`

	home string   // its folder in the vault
	repo string   // where its checkpoints are; "" where an older moai did not note it
	dirs []string // in home, the copies that no repository claims; none where the whole work tree is gone
}

// Leftovers is all that lies in the vault for repositories that are gone.
type Leftovers struct {
	// Here was kept for a repository that lay where another one lies now.
	Here Left
	// Gone was kept for work trees whose folders are no more.
	Gone []Left
	// Unplaced are folders of the vault that do not name their repository: an older moai made them.
	Unplaced []string
}

// FindLeft looks through the vault. Without a repository nothing is Here.
func FindLeft(r *repo.Repo, vaultDir string) (*Leftovers, error) {
	out := &Leftovers{}
	if vaultDir == "" {
		return out, nil
	}
	if r != nil {
		var err error
		if out.Here, err = leftHere(r, vaultDir); err != nil {
			return nil, fmt.Errorf("read vault: %w", err)
		}
	}
	homes, err := os.ReadDir(vaultDir)
	if err != nil && !disk.Absent(err) {
		return nil, fmt.Errorf("read vault: %w", err)
	}
	for _, d := range homes {
		home := filepath.Join(vaultDir, d.Name())
		if !d.IsDir() || r != nil && home == vaultHome(r, vaultDir) {
			continue
		}
		l := Left{home: home}
		l.Place, l.repo = readPlace(home)
		switch {
		case l.Place == "":
			out.Unplaced = append(out.Unplaced, d.Name())
		case l.gone() && copies(home):
			l.count(home)
			out.Gone = append(out.Gone, l)
		}
	}
	return out, nil
}

// leftHere finds the copies for which the repository has neither a reference nor the commit. A checkpoint that another process is
// about to publish has its commit, and keeps its copy.
func leftHere(r *repo.Repo, vaultDir string) (Left, error) {
	l := Left{Place: r.WorkTree, Here: true, home: vaultHome(r, vaultDir)}
	list, err := os.ReadDir(l.home)
	if disk.Absent(err) {
		return l, nil
	}
	if err != nil {
		return l, err
	}
	refs, err := r.Refs(hiddenRefs)
	if err != nil {
		return l, err
	}
	held := make(map[repo.Hash]bool, len(refs))
	for _, ref := range refs {
		held[ref.Hash] = true
	}
	for _, d := range list {
		h, ok := repo.ParseHash(d.Name())
		if !ok || !d.IsDir() || held[h] || r.HasObject(h) {
			continue
		}
		l.dirs = append(l.dirs, d.Name())
		l.count(filepath.Join(l.home, d.Name()))
	}
	return l, nil
}

// count adds the copies below a folder; what moai notes beside them is not counted.
func (l *Left) count(dir string) {
	_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == vaultIndex {
			l.Files += sharing(filepath.Dir(name))
		}
		if err != nil || !d.Type().IsRegular() || d.Name() == vaultIndex || d.Name() == vaultPlace || d.Name() == settingsFile {
			return nil
		}
		if fi, err := d.Info(); err == nil {
			l.Files++
			l.Bytes += fi.Size()
		}
		return nil
	})
}

// Remove deletes the copies. A work tree that has come back since keeps its own.
func (l *Left) Remove() error {
	var err error
	for _, d := range l.dirs {
		err = errors.Join(err, os.RemoveAll(filepath.Join(l.home, d)))
	}
	if !l.Here && l.gone() {
		err = os.RemoveAll(l.home)
	}
	if err != nil {
		return fmt.Errorf("empty vault: %w", err)
	}
	return nil
}

// Any says whether there is anything of a repository that was here before; a copy of nothing but links has no files.
func (l *Left) Any() bool { return len(l.dirs) > 0 }

// copies says whether a folder of the vault holds more than the path of its work tree.
func copies(home string) bool {
	list, err := os.ReadDir(home)
	return err == nil && len(list) > 1
}

// gone says whether neither the work tree nor its repository is there. What cannot be looked at is not gone.
func (l *Left) gone() bool {
	for _, path := range []string{l.Place, l.repo} {
		if path == "" {
			continue
		}
		if _, err := os.Lstat(path); !disk.Absent(err) {
			return false
		}
	}
	return true
}

// readPlace gives the path of the work tree for which a folder of the vault was made, and of its repository; "" where it does not say so.
// The folder's name vouches for the work tree.
func readPlace(home string) (place, repository string) {
	b, _, err := disk.ReadRegular(os.OpenFile, filepath.Join(home, vaultPlace), disk.NoFollow, maxPlace)
	place, repository, _ = strings.Cut(strings.TrimSuffix(string(b), "\n"), "\n")
	if err != nil || !filepath.IsAbs(place) || homeName(place) != filepath.Base(home) {
		return "", ""
	}
	return place, repository
}

// note writes down which repository the folder belongs to, once a checkpoint has a copy in it. If that fails, the copies can still be restored; but
// when the repository is gone, nothing tells any more which repository they came from.
func (v *vault) note(r *repo.Repo) {
	if place, repository := readPlace(v.home); v.empty() || place == r.WorkTree && repository == r.CommonDir {
		return
	}
	f, err := os.CreateTemp(v.home, vaultTemp)
	if err != nil {
		return
	}
	_, err = f.WriteString(r.WorkTree + "\n" + r.CommonDir + "\n")
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(v.home, vaultPlace))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}
