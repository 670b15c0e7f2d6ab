package handle

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modu-ai/moai/internal/ignore"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/walk"
)

// lookAgain is how long the files with credentials that were found are those that there are: what is in them is looked at each time.
const lookAgain = 10 * time.Minute

// ignoredNames is how many files that Git ignores are known by their names, and ignoredLooks how many others are asked about.
const (
	ignoredNames = 200
	ignoredLooks = 5000
	// madeFolders of those that a build makes again are looked into, and madeNames in each, the nearest first: what people keep there lies at the top.
	madeFolders = 20
	madeNames   = 100
)

// ignoredFiles are the files that Git ignores in the top levels of the work tree, where people have them: those that hold secrets by their
// names, also where a build makes all else again, and others that none makes. Files of the index need no look.
func (h *Handlers) ignoredFiles(ctx context.Context, r *repo.Repo) (secrets, others []string) {
	var list []string
	rules := h.Tables.Risks
	ctx, cancel := context.WithTimeout(ctx, doomedTime)
	defer cancel()
	var mu sync.Mutex
	var made []string // folders that a build makes again
	remade := h.remade(r)
	options := walk.Options{Skip: remade, Links: true, Files: doomedFiles, Depth: unseenLevels, Skipped: func(dir string) {
		mu.Lock()
		defer mu.Unlock()
		made = append(made, strings.TrimSuffix(dir, "/"))
	}}
	_, _ = walk.Files(ctx, r.WorkTree, options, func(f walk.File) {
		mu.Lock()
		defer mu.Unlock()
		list = append(list, f.Path)
	})
	slices.Sort(made)
	for _, dir := range made[:min(len(made), madeFolders)] {
		for p := range treasures(ctx, r.WorkTree, rules, []string{dir}, madeNames) {
			list = append(list, p)
		}
	}
	match := r.IgnoreBounded()
	dirs := map[string]*ignore.Dir{}
	looks := 0
	list = slices.DeleteFunc(list, func(p string) bool {
		at := strings.LastIndexByte(p, '/') + 1
		if looks++; looks > ignoredLooks && !rules.Sensitive(p) {
			return true
		}
		dir := dirs[p[:at]]
		if dir == nil {
			dir = match.Dir(p[:at])
			dirs[p[:at]] = dir
		}
		return !dir.Ignored() && !dir.Match(p[at:], false)
	})
	if len(list) == 0 {
		return nil, nil
	}
	ix, err := r.IndexAbout(nil, list...)
	if err != nil {
		return nil, nil
	}
	slices.Sort(list)
	for _, p := range list {
		_, tracked := ix.Find(p)
		switch {
		case tracked:
		case rules.Sensitive(p):
			secrets = append(secrets, p)
		case len(others) < ignoredNames && !remade(p) && !strings.HasPrefix(p, ".moai/"):
			others = append(others, p)
		}
	}
	return secrets, others
}
