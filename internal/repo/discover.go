package repo

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/disk"
)

// maxSmallFile bounds files that hold one line: HEAD, a .git file, commondir.
const maxSmallFile = 64 << 10

// maxParts bounds the names in the paths of all folders that are looked into: to look into one costs as much as it is deep, and all
// that are above one of a thousand levels would take a hundred milliseconds. It is enough for 255 levels.
const maxParts = 1 << 15

// Open finds the repository that holds dir, as git does when GIT_DIR is not set:
// it looks for .git in dir and in each directory above it, stops at a file system
// boundary and at GIT_CEILING_DIRECTORIES, and takes a directory that looks like a
// Git directory itself for a bare repository (or for the inside of .git).
//
// Errors: ErrNone when there is no repository, *Declined when there is one that
// moai does not read: another user's without safe.directory, reference storage or
// extensions that are unknown here, a damaged .git file, or a damaged .git folder with no
// repository around it; also where the search was given up in a folder too deep.
func Open(dir string) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	// A work directory reached through a symbolic link belongs to the repository at
	// the link's target, as for a process whose working directory it is.
	if real, err := disk.EvalLinks(dir); err == nil {
		dir = real
	}
	device, _ := deviceOf(dir)
	ceilings := filepath.SplitList(os.Getenv("GIT_CEILING_DIRECTORIES"))
	none := ErrNone
	var bare *Repo // found on the way up
	for at, parts := dir, 0; ; {
		if parts += strings.Count(at, string(filepath.Separator)); parts > maxParts {
			return nil, declined(dir, "it is too deep for moai to look for its repository above it")
		}
		r, err := openAt(at, &none)
		switch {
		case bare != nil && (err != nil || r != nil && r.holds(bare)):
			return r, err
		case bare != nil && r != nil:
			return bare, nil
		// A repository that is declined ends the search, as with git: the one above it is not meant.
		case err != nil || r != nil && !r.loose(at):
			return r, err
		case r != nil:
			bare = r
		}
		up := filepath.Dir(at)
		d, ok := deviceOf(up)
		if up == at || at != dir && isCeiling(up, ceilings) || ok && d != device && os.Getenv("GIT_DISCOVERY_ACROSS_FILESYSTEM") == "" {
			if bare != nil {
				return bare, nil
			}
			return nil, none
		}
		at = up
	}
}

// loose reports a repository that is the folder at itself, and not inside of a .git: its files may be those of another one.
func (r *Repo) loose(at string) bool {
	return r.GitDir == at && !slices.Contains(strings.Split(at, string(filepath.Separator)), ".git")
}

// holds reports that the files of a repository that is a plain folder are files of this one, which Git does not ignore: they came with a clone, or would
// go into the next commit. What is done there is done to this one, and nothing of moai's is written among them.
func (r *Repo) holds(bare *Repo) bool {
	rel, err := filepath.Rel(r.WorkTree, bare.GitDir)
	return err == nil && !r.Bare() && filepath.IsLocal(rel) && r.CommonDir != bare.CommonDir && !r.Ignore().Match(filepath.ToSlash(rel), true)
}

// isCeiling says whether discovery must not go up to dir.
func isCeiling(dir string, ceilings []string) bool {
	for _, c := range ceilings {
		if c != "" && filepath.Clean(c) == dir {
			return true
		}
	}
	return false
}

// openAt opens the repository whose work tree is dir, or the bare one that dir is.
// It returns nil and no error when dir is neither. Git passes a damaged .git folder over;
// none is what it says where nothing else is found, and tells of the first such folder.
func openAt(dir string, none *error) (*Repo, error) {
	dot := filepath.Join(dir, ".git")
	fi, err := os.Stat(dot)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
		// A path element that is a file: nothing to find here.
	case err == nil && fi.IsDir():
		if common, ok := gitDir(dot); ok {
			return newRepo(dir, dot, common, "")
		}
		if what := damage(dot); what != "" && *none == ErrNone {
			*none = &Declined{Dir: dir, Reason: "its .git folder is damaged: " + what, Advice: "git -C " + argv.Quote(dir) + " status"}
		}
	case err == nil && fi.Mode().IsRegular():
		target, err := readGitFile(dot)
		if err != nil {
			return nil, &Declined{Dir: dir, Reason: err.Error()}
		}
		common, ok := gitDir(target)
		if !ok {
			return nil, declined(dir, "its .git file points at ", target, ", which is no git directory")
		}
		return newRepo(dir, target, common, dot)
	}
	if common, ok := gitDir(dir); ok {
		// Inside .git counts as the repository that it belongs to; elsewhere a bare repository
		// could have come as files of another one, which safe.bareRepository guards against.
		if filepath.Base(dir) != ".git" && strings.EqualFold(protectedConfig(nil).String("safe.barerepository"), "explicit") {
			return nil, declined(dir, "it is bare, and safe.bareRepository is explicit")
		}
		return newRepo("", dir, common, "")
	}
	return nil, nil
}

// readGitFile follows a .git file ("gitdir: <path>").
func readGitFile(path string) (string, error) {
	b, err := readSmall(path)
	if err != nil {
		return "", errors.New("its .git file cannot be read")
	}
	target, ok := bytes.CutPrefix(b, []byte("gitdir: "))
	target = bytes.TrimRight(target, "\r\n")
	if !ok || len(target) == 0 {
		return "", errors.New("its .git file does not begin with \"gitdir: \"")
	}
	t := filepath.FromSlash(string(target))
	if !filepath.IsAbs(t) {
		t = filepath.Join(filepath.Dir(path), t)
	}
	return filepath.Clean(t), nil
}

// gitDir says whether dir is a Git directory by git's own test (a plausible HEAD, objects
// and refs), and where its common directory is.
func gitDir(dir string) (common string, ok bool) {
	if !plausibleHead(filepath.Join(dir, "HEAD")) {
		return "", false
	}
	common = dir
	if b, err := readSmall(filepath.Join(dir, "commondir")); err == nil {
		c := filepath.FromSlash(strings.TrimRight(string(b), "\r\n"))
		if !filepath.IsAbs(c) {
			c = filepath.Join(dir, c)
		}
		common = filepath.Clean(c)
	}
	for _, name := range [...]string{"objects", "refs"} {
		if fi, err := os.Stat(filepath.Join(common, name)); err != nil || !fi.IsDir() {
			return "", false
		}
	}
	return common, true
}

// damage says what keeps a .git folder from being one for git; "" where nothing tells that
// it was one.
func damage(dir string) string {
	there := func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	}
	was := false
	for _, name := range [...]string{"HEAD", "index", "objects", "refs", "config", "packed-refs", "commondir"} {
		was = was || there(name)
	}
	switch {
	case !was:
		return ""
	case !there("HEAD"):
		return "it has no HEAD"
	case !plausibleHead(filepath.Join(dir, "HEAD")):
		return "its HEAD cannot be read"
	}
	return "it lacks its folders objects or refs"
}

// plausibleHead is git's own first test of a Git directory: HEAD is a link or a line that leads to a reference, or an object name.
func plausibleHead(path string) bool {
	if target, err := os.Readlink(path); err == nil {
		return strings.HasPrefix(filepath.ToSlash(target), "refs/")
	}
	b, err := readSmall(path)
	if err != nil {
		return false
	}
	if ref, ok := bytes.CutPrefix(b, []byte("ref:")); ok {
		return bytes.HasPrefix(bytes.TrimLeft(ref, " \t"), []byte("refs/"))
	}
	_, ok := ParseHash(strings.TrimRight(string(b), "\r\n \t"))
	return ok
}

// readSmall reads a file that holds a line or two.
func readSmall(path string) ([]byte, error) {
	b, _, err := disk.ReadFile(path, maxSmallFile)
	return b, err
}

// newRepo checks the owner before anything in the repository is trusted. gitFile is the .git file, if there is one.
func newRepo(workTree, dir, common, gitFile string) (*Repo, error) {
	shown := workTree
	if shown == "" {
		shown = dir
	}
	if !ownedByUser(gitFile, workTree, dir) && !safeDirectory(shown) {
		return nil, &Declined{Dir: shown, Reason: "it is owned by somebody else", Remedy: "git config --global --add safe.directory " + argv.Quote(shown)}
	}
	r, err := trustedRepo(workTree, dir, common)
	if err != nil || r.elsewhere == "" {
		return r, err
	}
	// Git works in the other folder from here. What is done to the files here no snapshot would hold.
	if workTree == "" && filepath.Base(dir) == ".git" {
		workTree = filepath.Dir(dir)
	}
	if workTree == "" {
		return r, nil
	}
	if !sameFolder(r.WorkTree, workTree) {
		return nil, &Declined{
			Dir: workTree, Reason: "core.worktree leads to " + r.elsewhere + ", so that Git takes the files here for nobody's",
			Advice: "git -C " + argv.Quote(workTree) + " config --show-origin core.worktree",
		}
	}
	r.WorkTree = workTree
	return r, nil
}

func sameFolder(a, b string) bool {
	is, err := os.Stat(a)
	if err != nil {
		return a == b
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(is, other)
}

// trustedRepo reads the repository's own configuration.
func trustedRepo(workTree, dir, common string) (*Repo, error) {
	r := &Repo{WorkTree: workTree, GitDir: dir, CommonDir: common, hashSize: sha1Size}
	shown := workTree
	if shown == "" {
		shown = dir
	}
	r.local = &Config{}
	st := loadState{gitDir: dir, repo: r}
	if r.local.load(filepath.Join(common, "config"), &st); st.cut {
		return nil, declined(shown, "its configuration is larger than moai reads")
	}
	if err := r.checkFormat(shown); err != nil {
		return nil, err
	}
	c := r.local
	if dir != common {
		// A linked work tree has its own core.bare and core.worktree, or none.
		c = &Config{}
	}
	if r.local.Bool("extensions.worktreeconfig", false) {
		own := &Config{}
		own.load(filepath.Join(dir, "config.worktree"), &loadState{gitDir: dir})
		if own.Has("core.worktree") || own.Has("core.bare") {
			c = own
		}
	}
	if wt, ok := c.Lookup("core.worktree"); ok && wt != "" {
		said := wt
		wt = filepath.FromSlash(wt)
		if !filepath.IsAbs(wt) {
			wt = filepath.Join(dir, wt)
		}
		if r.WorkTree = filepath.Clean(wt); r.WorkTree != workTree {
			r.elsewhere = said
		}
	} else if c.Bool("core.bare", false) {
		if workTree != "" && holdsFiles(workTree) {
			return nil, &Declined{Dir: workTree, Reason: "core.bare is set, so that Git takes the files here for nobody's", Advice: "git -C " + argv.Quote(workTree) + " config core.bare false"}
		}
		r.WorkTree = ""
	}
	return r, nil
}

// holdsFiles reports plain files in a folder that would be a work tree: beside a bare .git people have linked work trees, in folders.
func holdsFiles(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	entries, _ := f.ReadDir(256)
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Type().IsRegular() })
}

// checkFormat declines what is unknown, by the rules of git's repository-version
// document: version 0 ignores unknown extensions, version 1 must know them all.
func (r *Repo) checkFormat(shown string) error {
	version := r.local.Int("core.repositoryformatversion", 0)
	if version > 1 {
		return declined(shown, "its format version is ", strconv.FormatInt(int64(version), 10), ", and moai reads versions 0 and 1")
	}
	for _, e := range r.local.entries {
		name, ok := strings.CutPrefix(e.key, "extensions.")
		if !ok {
			continue
		}
		switch name {
		case "noop", "preciousobjects", "partialclone", "worktreeconfig":
		case "objectformat", "refstorage", "compatobjectformat", "noop-v1", "relativeworktrees", "submodulepathconfig":
			if version == 0 {
				return declined(shown, "extensions.", name, " is set, but core.repositoryFormatVersion is 0")
			}
			switch {
			case name == "objectformat" && e.value == "sha256":
				r.hashSize = sha256Size
			case name == "refstorage" && e.value != "files":
				d := &Declined{Dir: shown, Reason: "its references are stored as " + e.value + ", which moai cannot read"}
				if e.value == "reftable" {
					d.Advice = "git refs migrate --ref-format=files" // of Git 2.46 and later, as whatever made it probably is
				}
				return d
			case name == "objectformat" && e.value != "sha1":
				return declined(shown, "extensions.", name, " = ", e.value, " is not supported")
			case name == "compatobjectformat", name == "submodulepathconfig":
				return declined(shown, "extensions.", name, " is not supported")
			}
		default:
			if version >= 1 {
				return declined(shown, "it has extensions.", name, " set, an extension that moai does not know")
			}
		}
	}
	return nil
}
