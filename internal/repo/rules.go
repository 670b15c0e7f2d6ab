package repo

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/ignore"
	"github.com/modu-ai/moai/internal/work"
)

// Ignore is the repository's matcher: .gitignore of every level, info/exclude, and
// core.excludesFile or its default. In a repository inside this one, its own lists count as well.
// Each call returns a fresh one that has read nothing.
func (r *Repo) Ignore() *ignore.Matcher { return r.IgnoreWithin(nil) }

// IgnoreBounded is Ignore for a walk of many names: past its bound every name counts as ignored, which is right for who keeps copies of those.
func (r *Repo) IgnoreBounded() *ignore.Matcher { return r.ignoring(nil, mostCompared) }

// IgnoreWithin is Ignore for as much work as there is in an account. Once that is over,
// its answers mean nothing.
func (r *Repo) IgnoreWithin(a *work.Account) *ignore.Matcher { return r.ignoring(a, 0) }

func (r *Repo) ignoring(a *work.Account, most int64) *ignore.Matcher {
	o := r.ignoreOptions(nil, nil, a)
	o.Most = most
	outer := o.Read
	o.Read = func(dir string) []byte {
		own := outer(dir)
		if dir == "" || !a.Take(work.Path(dir)) {
			return own
		}
		lists := r.innerLists(dir)
		if len(lists) == 0 || len(lists)+len(own) > ignore.MaxFile {
			return own
		}
		return append(lists, bytes.TrimPrefix(own, []byte(byteOrder))...) // what comes later counts more
	}
	return ignore.New(o)
}

// byteOrder is the mark that some editors put before a text.
const byteOrder = "\xef\xbb\xbf"

// innerLists are the lists that a repository in the folder dir ("sub/") has beside its .gitignore: a submodule keeps its
// info/exclude in the folder of the one around it. nil where there is no repository.
func (r *Repo) innerLists(dir string) []byte {
	sub, err := r.openNested(dir)
	if err != nil || sub == nil {
		return nil
	}
	var lists []byte
	for _, path := range [...]string{sub.globalIgnore(), sub.ExcludeFile()} {
		if b := bytes.TrimPrefix(sub.outside(path), []byte(byteOrder)); len(b) > 0 {
			lists = append(append(lists, b...), '\n')
		}
	}
	return lists
}

// IgnoreOf is Ignore with the .gitignore files that read gives for their paths. Where it gives none, those on disk count.
func (r *Repo) IgnoreOf(read func(rel string) []byte) *ignore.Matcher {
	o := r.ignoreOptions(nil, nil, nil)
	disk := o.Read
	o.Read = func(dir string) []byte {
		if b := read(dir + ".gitignore"); b != nil {
			return b
		}
		return disk(dir)
	}
	return ignore.New(o)
}

// mostCompared bounds the steps of a walk's comparisons with patterns: a twentieth of a second. Lists of some hundred patterns take none of those that
// are counted.
const mostCompared = 4_000_000

// ignoringAll is for a walk of all that is there. It also reads a .gitignore that is missing because its entry is skip-worktree
// from the index, as git does in a sparse checkout.
func (r *Repo) ignoringAll(ix *Index, stop *atomic.Bool, so *StatusOptions) *ignore.Matcher {
	o := r.ignoreOptions(ix, stop, so.Work)
	if o.Most = mostCompared; so.NoLists {
		o.Lower = nil
	}
	return ignore.New(o)
}

func (r *Repo) ignoreOptions(ix *Index, stop *atomic.Bool, a *work.Account) ignore.Options {
	return ignore.Options{
		Stop: stop,
		Work: a,
		Fold: r.Config().Bool("core.ignorecase", false),
		Read: func(dir string) []byte {
			if b := r.ruleFile(dir + ".gitignore"); b != nil {
				return b
			}
			return r.indexed(ix, dir+".gitignore", true)
		},
		Lower: func() [][]byte {
			return [][]byte{r.outside(r.globalIgnore()), r.outside(filepath.Join(r.CommonDir, "info", "exclude"))}
		},
	}
}

// ListsSince reports that info/exclude, the user's own list, or the setting that names it, was written after a time.
func (r *Repo) ListsSince(t time.Time) bool {
	files := []string{r.ExcludeFile(), r.globalIgnore()}
	switch own := r.Config().String("core.excludesfile"); {
	case own == "":
	case own != UserConfig().String("core.excludesfile"):
		files = append(files, filepath.Join(r.CommonDir, "config"))
	default:
		files = append(files, userFiles()...)
	}
	return slices.ContainsFunc(files, func(path string) bool {
		fi, err := os.Stat(path)
		return err == nil && fi.ModTime().After(t)
	})
}

// globalIgnore is the list of the user's own patterns.
func (r *Repo) globalIgnore() string {
	if r.Config().Has("core.excludesfile") {
		return r.Config().Path("core.excludesfile")
	}
	return xdgFile("ignore")
}

// Attributes is the repository's reader of .gitattributes.
func (r *Repo) Attributes() *ignore.Attributes { return r.attributes(nil, nil, nil) }

// attributes falls back to the index for any .gitattributes that is not checked out.
func (r *Repo) attributes(ix *Index, stop *atomic.Bool, a *work.Account) *ignore.Attributes {
	return ignore.NewAttributes(ignore.AttributeOptions{
		Stop: stop, Work: a,
		Fold: r.Config().Bool("core.ignorecase", false),
		Read: func(dir string) []byte {
			if b := r.ruleFile(dir + ".gitattributes"); b != nil {
				return b
			}
			return r.indexed(ix, dir+".gitattributes", false)
		},
		Lower: func() [][]byte {
			global := r.Config().Path("core.attributesfile")
			if !r.Config().Has("core.attributesfile") {
				global = xdgFile("attributes")
			}
			var out [][]byte
			if no, _ := ParseBool(os.Getenv("GIT_ATTR_NOSYSTEM")); !no {
				for _, p := range systemConfigs() {
					out = append(out, r.outside(filepath.Join(filepath.Dir(p), "gitattributes")))
				}
			}
			return append(out, r.outside(global))
		},
		Upper: func() []byte { return r.outside(filepath.Join(r.CommonDir, "info", "attributes")) },
	})
}

// ruleFile reads a rule file of the work tree. Links are not followed: the tree belongs to
// whoever wrote the repository. nil means that there is none; what stands in its place
// (a directory, say) counts as an empty one.
func (r *Repo) ruleFile(rel string) []byte {
	path := r.Path(rel)
	fi, err := os.Lstat(path)
	if err != nil || fi.Mode()&os.ModeSymlink != 0 {
		return nil
	}
	if b := readBounded(path); b != nil {
		return b
	}
	return []byte{}
}

// outside reads a rule file that the user or the installation owns. Relative names are
// relative to the work tree, which is where git stands when it reads them.
func (r *Repo) outside(path string) []byte {
	if path == "" {
		return nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.WorkTree, path)
	}
	return readBounded(path)
}

// readBounded returns nil for what is missing, no file, or larger than a rule file may be,
// and an empty slice for an empty file.
func readBounded(path string) []byte {
	b, _, err := disk.ReadFile(path, ignore.MaxFile)
	if err != nil {
		return nil
	}
	return b
}

// indexed reads the blob that the index has for path; only if it is skip-worktree when
// skipped is set.
func (r *Repo) indexed(ix *Index, path string, skipped bool) []byte {
	if ix == nil {
		return nil
	}
	i, ok := ix.Find(path)
	if !ok {
		return nil
	}
	e := &ix.entries[i]
	if e.stage() != 0 || e.mode()&modeType != modeRegular || skipped && !e.skipWorktree() {
		return nil
	}
	k, b, err := r.Object(e.hash(ix.hashSize))
	if err != nil || k != KindBlob || len(b) > ignore.MaxFile {
		return nil
	}
	return b
}
