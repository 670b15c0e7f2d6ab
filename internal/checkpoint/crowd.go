package checkpoint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// crowded is how many times the untracked files that a snapshot takes are looked at: links weigh nothing, and large files are left out.
const crowded = 4

// crowd leaves out those untracked files that come so far behind others that limit would leave them out, too: to ask the disk about each of a hundred
// thousand takes longer than a snapshot may.
func (s *snapshot) crowd(items []item) {
	limit := s.opts.Limits.UntrackedFiles
	if limit == 0 || len(items) <= crowded*limit {
		return
	}
	var loose []*item
	for i := range items {
		if it := &items[i]; it.pos < 0 && !strings.HasSuffix(it.path, "/") {
			loose = append(loose, it)
		}
	}
	smallFirst(loose)
	for _, it := range loose[min(len(loose), crowded*limit):] {
		it.skip = overFiles(limit)
	}
}

// smallFirst puts untracked files of small top-level folders in front.
func smallFirst(loose []*item) {
	groups := map[string]int{}
	top := func(p string) string { a, _, _ := strings.Cut(p, "/"); return a }
	for _, it := range loose {
		groups[top(it.path)]++
	}
	slices.SortStableFunc(loose, func(a, b *item) int { return cmp.Compare(groups[top(a.path)], groups[top(b.path)]) })
}

func overFiles(limit int) string { return fmt.Sprintf("over the limit of %d untracked files", limit) }
