package ground

import (
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/repo"
	"github.com/modu-ai/moai/internal/work"
)

// Settings reads a file of settings that a call would bring to an agent. A link counts as what it leads to, since that is what the
// agent reads. What is larger than such files are is not read.
func (g *Facts) Settings(path string) (text string, there bool) {
	if !g.looks.Take(work.Path(path)) {
		return "", false
	}
	st, err := disk.At(path)
	if err != nil || !st.IsRegular() || st.Size > maxSettings || !g.looks.Take(work.Path(path)+work.Read(st.Size)) {
		return "", false
	}
	data, err := os.ReadFile(path)
	return string(data), err == nil
}

// commits is where a call of git takes files from, found once for all of them.
type commits struct {
	repo  *repo.Repo
	trees map[string]repo.Hash // by the words that name a commit; zero for none
}

// SettingsAt reads such a file of a commit, or of the index; see [risk.Input].
func (g *Facts) SettingsAt(dir, revision, file string) (text string, known bool) {
	if revision == ":" {
		return g.settingsInIndex(file)
	}
	r, tree := g.treeAt(dir, revision)
	if tree.IsZero() {
		return "", false
	}
	for _, p := range [...]string{file, filepath.Join(g.links.Follow(filepath.Dir(filepath.Dir(file))), filepath.Base(filepath.Dir(file)), filepath.Base(file))} {
		if rel, err := filepath.Rel(r.WorkTree, p); err == nil && filepath.IsLocal(rel) {
			text, _ := g.blob(r, tree, filepath.ToSlash(rel))
			return text, true
		}
	}
	return "", false
}

// settingsInIndex is SettingsAt for the index of the repository around the project.
func (g *Facts) settingsInIndex(file string) (text string, known bool) {
	rel, ok := g.relative(file)
	if !ok {
		return "", false
	}
	ix, err := g.index.About(rel)
	if err != nil {
		return "", false
	}
	i, ok := ix.Find(rel)
	if !ok {
		return "", false
	}
	k, b, ok := g.object(g.repo, ix.At(i).Hash)
	if !ok || k != repo.KindBlob {
		return "", true
	}
	return string(b), true
}

// treeAt is the tree of the commit that a call of git in a folder names so; zero where there is none.
func (g *Facts) treeAt(dir, revision string) (r *repo.Repo, tree repo.Hash) {
	at := g.commits[dir]
	if at == nil {
		if !g.looks.Take(costOpen) {
			return nil, tree
		}
		at = &commits{trees: map[string]repo.Hash{}}
		if r, err := g.open(dir); err == nil && !r.Bare() {
			at.repo = r
		}
		if g.commits == nil {
			g.commits = map[string]*commits{}
		}
		g.commits[dir] = at
	}
	if at.repo == nil {
		return nil, tree
	}
	tree, seen := at.trees[revision]
	if !seen {
		tree = g.tree(at.repo, revision)
		at.trees[revision] = tree
	}
	return at.repo, tree
}

// maxTreeLinks is how many links of a tree are followed for one file.
const maxTreeLinks = 4

// blob is the content of a file in a tree. Links that stay in the tree are followed in it, others on the disk.
func (g *Facts) blob(r *repo.Repo, root repo.Hash, rel string) (text string, there bool) {
	for range maxTreeLinks {
		tree := root
		parts := strings.Split(rel, "/")
		linked := false
		for i, name := range parts {
			_, b, ok := g.object(r, tree)
			if !ok {
				return "", false
			}
			entries, err := repo.ParseTree(tree.Size(), b)
			if err != nil {
				return "", false
			}
			var found *repo.TreeEntry
			for n := range entries {
				if entries[n].Name == name {
					found = &entries[n]
				}
			}
			if found == nil {
				return "", false
			}
			switch {
			case found.Mode == repo.ModeLink:
				_, target, ok := g.object(r, found.Hash)
				if !ok || len(target) > maxPath {
					return "", false
				}
				to, rest := string(target), strings.Join(parts[i+1:], "/")
				if path.IsAbs(to) {
					return g.Settings(filepath.Join(to, rest))
				}
				rel = path.Join(strings.Join(parts[:i], "/"), to, rest)
				if !filepath.IsLocal(rel) {
					return g.Settings(filepath.Join(r.WorkTree, filepath.FromSlash(rel)))
				}
				linked = true
			case i == len(parts)-1:
				k, b, ok := g.object(r, found.Hash)
				return string(b), ok && k == repo.KindBlob
			default:
				tree = found.Hash
			}
			if linked {
				break
			}
		}
		if !linked {
			return "", false
		}
	}
	return "", false
}

// maxObject bounds a commit or a tree that is read on the way to a file: the root of a very large project has some ten thousand names.
const maxObject = 1 << 20

// object reads an object of ordinary size.
func (g *Facts) object(r *repo.Repo, h repo.Hash) (k repo.Kind, b []byte, ok bool) {
	if !g.looks.Take(4 * work.Look) {
		return 0, nil, false
	}
	size, err := r.BlobSize(h)
	if err != nil || size > maxObject {
		return 0, nil, false
	}
	k, b, err = r.Object(h)
	return k, b, err == nil
}

// commit reads what a name stands for, through tags, and says which commit that is.
func (g *Facts) commit(r *repo.Repo, h repo.Hash) (repo.Hash, *repo.Commit) {
	for range 8 {
		k, b, ok := g.object(r, h)
		switch {
		case !ok:
			return h, nil
		case k == repo.KindCommit:
			c, err := repo.ParseCommit(b)
			if err != nil {
				return h, nil
			}
			return h, c
		case k != repo.KindTag:
			return h, nil
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(string(b[:min(len(b), 100)]), "object "), "\n")
		if h, ok = repo.ParseHash(first); !ok {
			return h, nil
		}
	}
	return h, nil
}

// tree is the root of the commit that words name, "a...b" for the last that two have in common.
func (g *Facts) tree(r *repo.Repo, revision string) (none repo.Hash) {
	one, other, both := strings.Cut(revision, "...")
	h, c := g.revision(r, one)
	if both && c != nil {
		if to, d := g.revision(r, other); d != nil {
			c = g.common(r, h, to)
		} else {
			c = nil
		}
	}
	if c == nil {
		return none
	}
	return c.Tree
}

// maxCommon bounds the commits that are read to find one that two have in common.
const maxCommon = 256

// common is the first commit found on the way back from two that both lead to; nil where none is near.
func (g *Facts) common(r *repo.Repo, a, b repo.Hash) *repo.Commit {
	type step struct {
		h    repo.Hash
		side uint8
	}
	seen := map[repo.Hash]uint8{}
	// By turns, the older ones later: a branch is mostly some commits long.
	for queue, n := []step{{a, 1}, {b, 2}}, 0; len(queue) > 0 && n < maxCommon; n++ {
		at := queue[0]
		queue = queue[1:]
		if seen[at.h]&at.side != 0 {
			continue
		}
		seen[at.h] |= at.side
		_, c := g.commit(r, at.h)
		if c == nil {
			return nil
		}
		if seen[at.h] == 3 {
			return c
		}
		for _, p := range c.Parents[:min(len(c.Parents), maxCommon-min(len(queue), maxCommon))] {
			queue = append(queue, step{p, at.side})
		}
	}
	return nil
}

// revision is the commit that words name as gitrevisions(7) has them: references, short names of objects, entries of reflogs,
// and the parents of each. The rest, such as searches by text, is no commit here.
func (g *Facts) revision(r *repo.Repo, revision string) (h repo.Hash, c *repo.Commit) {
	base := revision
	if i := strings.IndexAny(revision, "^~"); i >= 0 {
		base = revision[:i]
	}
	h, ok := g.named(r, base)
	if !ok {
		return h, nil
	}
	h, c = g.commit(r, h)
	for rest := revision[len(base):]; c != nil && rest != ""; {
		op := rest[0]
		if rest = rest[1:]; op == '^' && strings.HasPrefix(rest, "{") {
			_, rest, _ = strings.Cut(rest, "}") // a kind of object
			continue
		}
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n, err := strconv.Atoi(rest[:digits])
		if err != nil {
			n = 1
		}
		rest = rest[digits:]
		steps, parent := n, 1
		if op == '^' {
			steps, parent = min(n, 1), n
		}
		for ; steps > 0 && c != nil; steps-- {
			if parent > len(c.Parents) {
				return h, nil
			}
			h, c = g.commit(r, c.Parents[parent-1])
		}
		if op != '^' && op != '~' {
			return h, nil
		}
	}
	return h, c
}

// named is the object that a name without parents stands for.
func (g *Facts) named(r *repo.Repo, name string) (h repo.Hash, ok bool) {
	if !g.looks.Take(8 * work.Look) {
		return h, false
	}
	switch name {
	case "", "@":
		name = "HEAD"
	case "-":
		name = "@{-1}"
	}
	ref, entry, found := strings.Cut(name, "@{")
	if found {
		switch entry = strings.TrimSuffix(entry, "}"); {
		case entry == "u" || entry == "upstream" || entry == "push":
			u, err := r.Upstream()
			if err != nil || u == nil || u.Gone {
				return h, false
			}
			return u.Hash, true
		case ref == "stash" && entry == "0":
			name = "refs/stash"
		default:
			return g.logged(r, ref, entry)
		}
	}
	if h, err := r.Resolve(name); err == nil {
		return h, true
	}
	if len(name) >= 4 && strings.Trim(name, "0123456789abcdefABCDEF") == "" {
		return r.Expand(strings.ToLower(name))
	}
	// git switch and checkout make a branch of that name where a remote has one.
	if !g.looks.Take(costOpen) {
		return h, false
	}
	refs, err := r.Refs("refs/remotes/")
	for i := range refs {
		if _, branch, _ := strings.Cut(strings.TrimPrefix(refs[i].Name, "refs/remotes/"), "/"); err == nil && branch == name {
			return refs[i].Hash, true
		}
	}
	return h, false
}

// maxLog bounds the end of a reflog that is read.
const maxLog = 64 << 10

// logged is an entry of a reflog: the stash's and others by number, HEAD's by "-1" for the branch before.
func (g *Facts) logged(r *repo.Repo, ref, entry string) (h repo.Hash, ok bool) {
	n, err := strconv.Atoi(entry)
	file := filepath.Join(r.GitDir, "logs", "HEAD")
	switch {
	case err != nil:
		return h, false
	case ref == "stash":
		file = filepath.Join(r.CommonDir, "logs", "refs", "stash")
	case ref != "" && ref != "HEAD" && filepath.IsLocal(ref):
		file = filepath.Join(r.CommonDir, "logs", "refs", "heads", filepath.FromSlash(ref))
	}
	st, err := disk.At(file)
	if err != nil || !st.IsRegular() || !g.looks.Take(work.Path(file)+work.Read(maxLog)) {
		return h, false
	}
	f, err := os.Open(file)
	if err != nil {
		return h, false
	}
	defer f.Close()
	b := make([]byte, min(st.Size, maxLog))
	if _, err := f.ReadAt(b, st.Size-int64(len(b))); err != nil {
		return h, false
	}
	lines := strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		fields := strings.SplitN(lines[i], " ", 3)
		if len(fields) < 3 {
			continue
		}
		if n < 0 {
			_, moved, found := strings.Cut(lines[i], "\tcheckout: moving from ")
			from, _, both := strings.Cut(moved, " to ")
			if found && both {
				if n++; n == 0 {
					if strings.HasPrefix(from, "@") || from == "-" {
						return h, false
					}
					return g.named(r, from)
				}
			}
			continue
		}
		if n == 0 {
			return repo.ParseHash(fields[1])
		}
		n--
	}
	return h, false
}
