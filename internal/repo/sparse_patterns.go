package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
)

// SparseFile is where a work tree says what its sparse checkout leaves out, below its Git directory.
const SparseFile = "info/sparse-checkout"

// maxSparse bounds it: what people and `git sparse-checkout set` write has some lines.
const maxSparse = 64 << 10

// worktreeConfig holds settings of one work tree, below its Git directory, where extensions.worktreeConfig is on.
const worktreeConfig = "config.worktree"

// Sparse is a sparse checkout, also one that is switched off: what it leaves out, and the settings that go with that.
type Sparse struct {
	Patterns         string // "" where nothing says any
	On, Cone, Folded bool   // Folded is the sparse index
}

// sparseSettings are the variables of them, in the order of settings.
var sparseSettings = [...]Setting{{Section: "core", Key: "sparseCheckout"}, {Section: "core", Key: "sparseCheckoutCone"}, {Section: "index", Key: "sparse"}}

func (s *Sparse) settings() [len(sparseSettings)]*bool {
	return [...]*bool{&s.On, &s.Cone, &s.Folded}
}

// Sparse reads it. The settings are there also with an error.
func (r *Repo) Sparse() (s Sparse, err error) {
	for i, on := range s.settings() {
		*on = r.Config().Bool(strings.ToLower(sparseSettings[i].Of()+"."+sparseSettings[i].Key), false)
	}
	b, _, err := disk.ReadRegular(os.OpenFile, filepath.Join(r.GitDir, filepath.FromSlash(SparseFile)), disk.NoFollow, maxSparse)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	s.Patterns = string(b)
	return s, err
}

// SetSparse makes it so, under git's own locks. Settings that are right stay where and as they are.
func (r *Repo) SetSparse(want Sparse) error {
	now, err := r.Sparse()
	if err != nil || now.Patterns != want.Patterns {
		if err := r.setPatterns(want.Patterns); err != nil {
			return fmt.Errorf("write %s: %w", SparseFile, err)
		}
	}
	var list []Setting
	for i, is := range now.settings() {
		if on := *want.settings()[i]; on != *is {
			v := sparseSettings[i]
			v.Value = strconv.FormatBool(on)
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return nil
	}
	dir, name := r.CommonDir, "config"
	if r.Config().Bool("extensions.worktreeconfig", false) {
		dir, name = r.GitDir, worktreeConfig
	}
	return editConfig(dir, name, []string{"core", "index"}, list, func(s *Setting) bool {
		return slices.ContainsFunc(list, func(v Setting) bool { return v.Section == s.Section && strings.EqualFold(v.Key, s.Key) })
	})
}

func (r *Repo) setPatterns(text string) error {
	path := filepath.Join(r.GitDir, filepath.FromSlash(SparseFile))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if fi, err := os.Lstat(filepath.Dir(path)); err != nil || !fi.IsDir() {
		return fmt.Errorf("%s is no folder", filepath.Dir(path)) // but a link, which may lead anywhere
	}
	l, err := lockFilled(r.GitDir, path, packedLockWait)
	if err != nil {
		return err
	}
	_, _ = l.Write([]byte(text)) // its error is kept for Commit
	return l.Commit()
}
