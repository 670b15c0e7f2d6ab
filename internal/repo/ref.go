package repo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"syscall"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/disk"
)

// ErrNoRef says that a reference does not exist.
var ErrNoRef = errors.New("reference not found")

// Ref is a reference and the object it names.
type Ref struct {
	Name   string // full, such as "refs/heads/main"
	Hash   Hash   // of the object named directly: a tag object for an annotated tag
	Target string // the reference it stands for, when it is symbolic
}

// maxSymrefs is git's limit on a chain of symbolic references.
const maxSymrefs = 5

// Resolve finds the object that a reference names. ref is a full name
// ("refs/heads/main", "HEAD"), a short one by git's order of rules, or a full object name.
func (r *Repo) Resolve(ref string) (Hash, error) {
	if h, ok := ParseHash(ref); ok && h.Size() <= r.hashSize && len(ref) == 2*r.hashSize {
		return h, nil
	}
	// The order of gitrevisions(7): a tag wins over a branch of the same name.
	for _, prefix := range [...]string{"", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"} {
		h, err := r.lookup(prefix + ref)
		if err == nil || !errors.Is(err, ErrNoRef) {
			return h, err
		}
	}
	return r.lookup("refs/remotes/" + ref + "/HEAD")
}

// lookup resolves one full name.
func (r *Repo) lookup(name string) (Hash, error) {
	for range maxSymrefs {
		h, target, err := r.readRef(name)
		if err != nil {
			return Hash{}, err
		}
		if target == "" {
			return h, nil
		}
		name = target
	}
	return Hash{}, fmt.Errorf("%s: symbolic references nested too deep", name)
}

// readRef reads one reference without following it.
func (r *Repo) readRef(name string) (h Hash, target string, err error) {
	if !safeRefName(name) {
		return h, "", fmt.Errorf("%q: %w", name, ErrNoRef)
	}
	b, err := readSmall(r.refPath(name))
	if err == nil {
		s := strings.TrimRight(string(b), " \t\r\n")
		if t, ok := strings.CutPrefix(s, "ref:"); ok {
			return h, strings.TrimLeft(t, " \t"), nil
		}
		// FETCH_HEAD and friends carry more behind the name.
		if len(s) > 2*r.hashSize && (s[2*r.hashSize] == ' ' || s[2*r.hashSize] == '\t') {
			s = s[:2*r.hashSize]
		}
		if h, ok := ParseHash(s); ok {
			return h, "", nil
		}
		advice := "git fsck"
		if strings.HasPrefix(name, OwnRefs) {
			advice = "moai doctor --fix"
		}
		return h, "", &Damaged{What: "read reference " + name, Err: errors.New("it names no object"), Advice: advice}
	}
	// A symbolic link is the oldest form of a symbolic reference; one that dangles is unborn.
	if t, lerr := os.Readlink(r.refPath(name)); lerr == nil && strings.HasPrefix(t, "refs/") {
		return h, t, nil
	}
	if !disk.Gone(err) && !errors.Is(err, disk.ErrNotRegular) && !errors.Is(err, syscall.EINVAL) { // a packed one would be older
		return h, "", &Damaged{What: "read reference " + name, Err: err, Advice: "ls -l " + argv.Quote(r.refPath(name))}
	}
	// Loose files win: packing leaves the packed value in place until it is packed anew.
	p, perr := r.packedRefs()
	if perr != nil {
		return h, "", perr
	}
	if h, ok := p.find(name); ok {
		return h, "", nil
	}
	return h, "", fmt.Errorf("%s: %w", name, ErrNoRef)
}

// refPath is where a loose reference lives. Each work tree has its own HEAD and its own
// refs/bisect, refs/worktree and refs/rewritten; everything else is shared.
func (r *Repo) refPath(name string) string {
	base := r.CommonDir
	if perWorktree(name) {
		base = r.GitDir
	}
	return filepath.Join(base, filepath.FromSlash(name))
}

func perWorktree(name string) bool {
	if !strings.HasPrefix(name, "refs/") {
		return true
	}
	for _, p := range [...]string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// safeRefName refuses names that would leave the Git directory. It is no full check of
// git's rules for names, which matter only when one is created.
func safeRefName(name string) bool {
	if name == "" || strings.ContainsAny(name, "\x00\\") || filepath.IsAbs(name) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." || strings.HasSuffix(part, ".lock") {
			return false
		}
	}
	return true
}

// maxLooks is how many names are looked up one by one before all references are listed: a look is up to three calls of the system.
const maxLooks = 32

// Exist gives those of full names ("refs/heads/main") that are references, broken ones too, in their order.
func (r *Repo) Exist(names []string) ([]string, error) {
	var out []string
	if len(names) <= maxLooks {
		for _, name := range names {
			_, _, err := r.readRef(name)
			if err == nil || !errors.Is(err, ErrNoRef) {
				out = append(out, name)
			}
		}
		return out, nil
	}
	p, err := r.packedRefs()
	if err != nil {
		return nil, err
	}
	have := map[string]bool{}
	loose, err := r.looseNames("refs/")
	if err != nil {
		return nil, err
	}
	for _, name := range loose {
		have[name] = true
	}
	for ref := range p.from("refs/") {
		if !perWorktree(ref.Name) {
			have[ref.Name] = true
		}
	}
	for _, name := range names {
		if have[name] {
			out = append(out, name)
		}
	}
	return out, nil
}

// Refs lists the references whose full name begins with prefix ("refs/heads/"), sorted
// by name. Loose ones win over packed ones; damaged ones are left out.
func (r *Repo) Refs(prefix string) ([]Ref, error) {
	out, _, err := r.RefsOrDamaged(prefix)
	return out, err
}

// RefsOrDamaged is Refs, and the names of those whose file holds no reference, such as an empty one after the power went.
func (r *Repo) RefsOrDamaged(prefix string) (out []Ref, damaged []string, err error) {
	p, err := r.packedRefs()
	if err != nil {
		return nil, nil, err
	}
	loose, err := r.looseNames(prefix)
	if err != nil {
		return nil, nil, err
	}
	for ref := range p.from(prefix) {
		if !perWorktree(ref.Name) {
			out = append(out, ref)
		}
	}
	byName := func(a, b Ref) int { return strings.Compare(a.Name, b.Name) }
	if !p.sorted {
		slices.SortFunc(out, byName)
	}
	packed := len(out)
	for _, name := range loose {
		h, target, err := r.readRef(name)
		// A symbolic reference, such as refs/remotes/origin/HEAD, is listed with what it leads to.
		if err == nil && target != "" {
			h, err = r.lookup(target)
		}
		var bad *Damaged
		if errors.As(err, &bad) { // one that is gone meanwhile is not damaged
			damaged = append(damaged, name)
		}
		if err != nil {
			continue
		}
		ref := Ref{Name: name, Hash: h, Target: target}
		i, found := sort.Find(packed, func(i int) int { return strings.Compare(name, out[i].Name) })
		if found {
			out[i] = ref
		} else {
			out = append(out, ref)
		}
	}
	slices.SortFunc(out, byName)
	return out, damaged, nil
}

// looseNames lists the files below refs/ that begin with prefix.
func (r *Repo) looseNames(prefix string) (out []string, err error) {
	if !strings.HasPrefix(prefix, "refs/") {
		if !strings.HasPrefix("refs/", prefix) {
			return nil, nil
		}
		prefix = "refs/"
	}
	dir := prefix[:strings.LastIndexByte(prefix, '/')]
	visit := func(base string, own bool) {
		root := filepath.Join(base, filepath.FromSlash(dir))
		failed := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil && !disk.Gone(err) { // a list with a part missing would say that there is nothing
				return fmt.Errorf("list references: %w", err)
			}
			if err != nil || e.IsDir() {
				return nil
			}
			rel, err := filepath.Rel(base, path)
			if err != nil {
				return nil
			}
			name := filepath.ToSlash(rel)
			if strings.HasPrefix(name, prefix) && perWorktree(name) == own && safeRefName(name) {
				out = append(out, name)
			}
			return nil
		})
		err = errors.Join(err, failed)
	}
	// In the main work tree both are the same folder, and each call takes its own part of the names.
	visit(r.CommonDir, false)
	visit(r.GitDir, true)
	return out, err
}
