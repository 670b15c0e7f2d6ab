package handle

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// reach is what a call is about within one work tree. It is made once and asked about thousands of paths.
type reach struct {
	all      bool // the whole tree, or too much to be told apart
	roots    folders
	patterns [][]string // the parts of each
	steps    int        // comparisons that are left
}

// maxCompared bounds the comparisons of a path with a pattern, for all questions about one call. Past it every path counts as taken.
const maxCompared = 20_000

// newReach takes targets relative to the work tree, with forward slashes. A target may be a pattern.
func newReach(targets []string) *reach {
	to := &reach{steps: maxCompared}
	for _, t := range targets {
		if t == "." || strings.HasPrefix(t, "..") {
			to.all = true
			return to
		}
		if strings.ContainsAny(t, "*?[") {
			to.patterns = append(to.patterns, strings.Split(path.Clean(t), "/"))
		}
	}
	to.roots = newFolders(targets).top()
	slices.SortFunc(to.patterns, slices.Compare)
	to.patterns = slices.CompactFunc(to.patterns, slices.Equal)
	return to
}

// takes reports whether a call takes along a path of the work tree. One that ends in a slash stands for some of what is below it.
func (to *reach) takes(left string) bool {
	p := path.Clean(left)
	if to.all || p == "/" || to.roots.hold(p) || strings.HasSuffix(left, "/") && to.roots.anyIn(p) {
		return true
	}
	if len(to.patterns) == 0 {
		return false
	}
	have := strings.Split(p, "/")
	for _, want := range to.patterns {
		if to.steps--; to.steps < 0 {
			return true
		}
		if picks(want, have) {
			return true
		}
	}
	return false
}

// picks reports whether a pattern picks a path, or a folder that it is in.
func picks(want, have []string) bool {
	if len(want) > len(have) {
		return false
	}
	for i, w := range want {
		if !shell.Picks(w, have[i]) {
			return false
		}
	}
	return true
}

// folders are sorted paths, each with a slash behind it, so that what is below a path follows it.
type folders []string

func newFolders(paths []string) folders {
	out := make(folders, 0, len(paths))
	for _, p := range paths {
		out = append(out, path.Clean(p)+"/")
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// top leaves those that are below no other one.
func (f folders) top() folders {
	out := f[:0]
	for _, p := range f {
		if len(out) == 0 || !strings.HasPrefix(p, out[len(out)-1]) {
			out = append(out, p)
		}
	}
	return out
}

// hold reports whether a path is one of them or below one. None of them may be below another: only the one before it is looked at.
func (f folders) hold(p string) bool {
	p += "/"
	i, found := slices.BinarySearch(f, p)
	return found || i > 0 && strings.HasPrefix(p, f[i-1])
}

// anyIn reports whether one of them is the path or below it.
func (f folders) anyIn(p string) bool {
	p += "/"
	i, _ := slices.BinarySearch(f, p)
	return i < len(f) && strings.HasPrefix(f[i], p)
}
