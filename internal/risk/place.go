package risk

import (
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/modu-ai/moai/internal/rule"
)

// Where a path lies: what it is to the system, the home and the project.

// classify finds the class of an absolute, clean path.
func (c *checker) classify(abs string, remote bool) rule.Class {
	in := c.in
	if abs == "/" || abs == "//" || len(abs) == 3 && abs[1] == ':' {
		return rule.Root
	}
	if strings.HasPrefix(abs, "/dev/") || strings.HasPrefix(abs, "//./") {
		return c.set.deviceClass(abs)
	}
	if c.set.stream(abs) {
		return rule.Drop
	}
	// Before the project: a home folder under version control (dotfiles) is still home.
	if rest, ok := c.under(abs, in.Home); ok && in.Home != "" && rest == "" || c.set.isHome(abs) {
		return rule.Home
	}
	if !remote && in.Root != "" {
		if rest, ok := c.under(abs, in.Root); ok {
			if rest == "" {
				return rule.Project
			}
			class := rule.Inside
			if isDotgit(rest) {
				class |= rule.Dotgit
			}
			return class
		}
	}
	// A folder that holds the project is that first, in a temporary place too.
	if !remote && in.Root != "" && !c.set.isHomes(abs) {
		if _, ok := c.under(in.Root, abs); ok {
			return rule.Parent | c.set.systemBit(abs)
		}
	}
	if c.set.isTemp(abs) {
		// Containers and build machines have homes below /tmp: what is in one is not
		// for throwing away. Where the home is /tmp itself nothing can be told apart. Nor is
		// what is in a linked work tree of the project; a whole one is snapshotted.
		if c.keeps(abs, in.Home) || !remote && (c.ownFolder(abs) || c.inTree(abs)) {
			return c.outside(abs)
		}
		if _, ok := c.under(in.Home, abs); ok && in.Home != "" && c.set.isTemp(path.Dir(abs)) {
			return rule.Home // it holds the home
		}
		return rule.Temp
	}
	if c.set.isHomes(abs) {
		return rule.Home
	}
	if in.Home != "" {
		if _, ok := c.under(abs, in.Home); ok {
			return c.outside(abs)
		}
	}
	if b := c.set.systemBit(abs); b != 0 {
		return b
	}
	return c.outside(abs)
}

// keeps reports that abs lies below a home that is itself below a folder for throw-away
// files. The temporary folder that Windows has in every home stays one.
func (c *checker) keeps(abs, home string) bool {
	if home == "" || !c.set.isTemp(home) || !c.set.isTemp(path.Dir(home)) {
		return false
	}
	rest, ok := c.under(abs, home)
	return ok && !strings.HasPrefix(rest, "AppData/Local/Temp")
}

// ownState is how rules name moai's state folder.
const ownState = ".local/state/moai/"

// ownFolder reports what lies in one of moai's folders.
func (c *checker) ownFolder(abs string) bool {
	_, own := c.inOwn(abs)
	return own
}

// inOwn is the name of what lies in one of moai's folders, from that folder.
func (c *checker) inOwn(abs string) (name string, own bool) {
	for _, dir := range c.in.Own {
		if rest, ok := c.under(abs, dir); ok && dir != "" {
			return rest, true
		}
	}
	return "", false
}

// ownTree reports a place in a linked work tree of the session's own repository: work that is done there is the project's, wherever it lies.
func (c *checker) ownTree(p string) bool { return c.treeOf(p) != "" }

// inTree reports what is below a linked work tree.
func (c *checker) inTree(p string) bool {
	tree := c.treeOf(p)
	return tree != "" && tree != p
}

// treeOf is the linked work tree that a place lies in, or "".
func (c *checker) treeOf(p string) string {
	if c.in.Worktrees == nil {
		return ""
	}
	if c.trees == nil {
		list := c.in.Worktrees(c.in.Dir, []string{""})
		c.trees = &list
	}
	for _, dir := range *c.trees {
		if lies(p, dir) {
			return dir
		}
	}
	return ""
}

// isDotgit reports the repository's own folder, or something in it, in each spelling
// that a file system may take for it.
func isDotgit(rest string) bool {
	first, _, _ := strings.Cut(rest, "/")
	return len(first) >= 4 && (strings.EqualFold(first, ".git") || strings.EqualFold(first, "git~1"))
}

// outside tells another project from the rest, when it can be asked.
func (c *checker) outside(abs string) rule.Class {
	dotgit := strings.Contains(abs, "/.git/") || strings.HasSuffix(abs, "/.git")
	class := rule.Outside
	if dotgit {
		class |= rule.Dotgit
	}
	if c.in.Exists == nil {
		return class
	}
	for dir, n := abs, 0; len(dir) > 1 && n < 8 && dir != c.in.Home; dir, n = dir[:max(0, strings.LastIndexByte(dir, '/'))], n+1 {
		if c.in.Exists(dir + "/.git") {
			return class&^rule.Outside | rule.Other
		}
	}
	return class
}

// under returns what of p lies below root; ok is false when p is elsewhere.
func (c *checker) under(p, root string) (rest string, ok bool) {
	if root == "/" {
		return strings.TrimPrefix(p, "/"), true
	}
	if !ascii(root) {
		// macOS hands out decomposed names and takes both. What lies far below needs no look.
		head, tail := p, ""
		if n := 4 * len(root); len(p) > n {
			if i := strings.IndexByte(p[n:], '/'); i >= 0 {
				head, tail = p[:n+i], p[n+i:]
			}
		}
		p, root = norm.NFC.String(head)+tail, norm.NFC.String(root)
	}
	if len(p) < len(root) || !c.equal(p[:len(root)], root) {
		return "", false
	}
	if len(p) == len(root) {
		return "", true
	}
	if p[len(root)] != '/' {
		return "", false
	}
	return p[len(root)+1:], true
}

func (c *checker) equal(a, b string) bool {
	if c.in.Fold {
		return strings.EqualFold(a, b)
	}
	return a == b
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// deviceClass tells devices that swallow or hold data from those that do not.
func (s *Set) deviceClass(abs string) rule.Class {
	name := strings.TrimPrefix(abs, "/dev/")
	switch {
	case s.In("devices-without-data", name):
		return rule.Drop
	case name == "shm", strings.HasPrefix(name, "shm/"), strings.HasPrefix(name, "mqueue/"):
		return rule.Temp
	case name == "pts", strings.HasPrefix(name, "fd/"), strings.HasPrefix(name, "pts/"), strings.HasPrefix(name, "tcp/"), strings.HasPrefix(name, "udp/"):
		return rule.Drop
	}
	return rule.Device
}

// stream reports a name of something that the process has open, such as /dev/stderr. Most are links into /proc.
func (s *Set) stream(abs string) bool {
	return s.In("devices-open", abs) || strings.HasPrefix(abs, "/dev/fd/") || strings.HasPrefix(abs, "/proc/self/fd/")
}

// isWholeTemp reports a folder that all programs share for their throw-away files.
func (s *Set) isWholeTemp(abs string) bool { return s.In("places-shared-temporary", abs) }

// isTrash reports the folder that desktops empty now and then, and what is in it.
func (s *Set) isTrash(abs string) bool {
	for dir := range s.members("places-trash").All() {
		if _, rest, ok := strings.Cut(abs, dir); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// isTemp reports places for throw-away files, and the folders themselves.
func (s *Set) isTemp(abs string) bool {
	if s.inOrBelow("places-temporary", abs) {
		return true
	}
	for dir := range s.members("places-temporary-windows").All() {
		if rest, ok := onDrive(abs, dir); ok && rest != "" {
			return true
		}
	}
	_, rest, ok := strings.Cut(abs, "/AppData/Local/Temp")
	return ok && (rest == "" || rest[0] == '/')
}

// isHome reports a home directory by its usual place.
func (s *Set) isHome(abs string) bool {
	if s.In("places-home", abs) {
		return true
	}
	if i := strings.LastIndexByte(abs, '/'); i > 0 && i+1 < len(abs) && s.In("places-of-homes", abs[:i]) {
		return true
	}
	rest, ok := onDrive(abs, "/Users")
	return ok && rest != "" && !strings.Contains(rest, "/")
}

// isHomes reports a folder whose entries are home directories.
func (s *Set) isHomes(abs string) bool {
	if s.In("places-of-homes", abs) {
		return true
	}
	rest, ok := onDrive(abs, "/Users")
	return ok && rest == ""
}

// systemBit is System for what an operating system needs: whole trees for some,
// the top folder alone for those that also hold services' own data.
func (s *Set) systemBit(abs string) rule.Class {
	if s.inOrBelow("places-system", abs) {
		if s.inOrBelow("places-installed", abs) && !s.In("places-installed", abs) {
			return 0
		}
		return rule.System
	}
	for dir := range s.members("places-system-windows").All() {
		if _, ok := onDrive(abs, dir); ok {
			return rule.System
		}
	}
	if s.In("places-system-alone", abs) {
		return rule.System
	}
	return 0
}

// inOrBelow reports a folder of a group, or what is below one.
func (s *Set) inOrBelow(group, abs string) bool {
	for dir := range s.members(group).All() {
		if strings.HasPrefix(abs, dir) && (len(abs) == len(dir) || abs[len(dir)] == '/') {
			return true
		}
	}
	return false
}

// tildeClass classifies a path whose home directory is not known.
func tildeClass(text string) rule.Class {
	name, rest, _ := strings.Cut(text, "/")
	if name == "~+" || name == "~-" {
		return rule.Unknown
	}
	if rest = strings.Trim(rest, "/*."); rest == "" {
		return rule.Home
	}
	return rule.Outside
}

// lineDevice reports a device that carries data to somewhere: no file system is on it.
func (m *match) lineDevice(e *effect) bool {
	name, ok := strings.CutPrefix(m.c.locate(m.call, e).Path, "/dev/")
	return ok && m.c.set.members("device-families").Meets(func(begin string) bool { return strings.HasPrefix(name, begin) })
}
