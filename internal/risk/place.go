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
		return deviceClass(abs)
	}
	// Before the project: a home folder under version control (dotfiles) is still home.
	if rest, ok := c.under(abs, in.Home); ok && in.Home != "" && rest == "" || isHome(abs) {
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
	if !remote && in.Root != "" && !isHomes(abs) {
		if _, ok := c.under(in.Root, abs); ok {
			return rule.Parent | systemBit(abs)
		}
	}
	if isTemp(abs) {
		// Containers and build machines have homes below /tmp: what is in one is not
		// for throwing away. Where the home is /tmp itself nothing can be told apart.
		if c.keeps(abs, in.Home) || !remote && c.ownFolder(abs) {
			return c.outside(abs)
		}
		if _, ok := c.under(in.Home, abs); ok && in.Home != "" && isTemp(path.Dir(abs)) {
			return rule.Home // it holds the home
		}
		return rule.Temp
	}
	if isHomes(abs) {
		return rule.Home
	}
	if in.Home != "" {
		if _, ok := c.under(abs, in.Home); ok {
			return c.outside(abs)
		}
	}
	if b := systemBit(abs); b != 0 {
		return b
	}
	return c.outside(abs)
}

// keeps reports that abs lies below a home that is itself below a folder for throw-away
// files. The temporary folder that Windows has in every home stays one.
func (c *checker) keeps(abs, home string) bool {
	if home == "" || !isTemp(home) || !isTemp(path.Dir(home)) {
		return false
	}
	rest, ok := c.under(abs, home)
	return ok && !strings.HasPrefix(rest, "AppData/Local/Temp")
}

// ownFolder reports what lies in one of moai's folders.
func (c *checker) ownFolder(abs string) bool {
	for _, dir := range c.in.Own {
		if _, ok := c.under(abs, dir); ok && dir != "" {
			return true
		}
	}
	return false
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
	for dir, n := abs, 0; len(dir) > 1 && n < 8 && dir != c.in.Home; dir, n = path.Dir(dir), n+1 {
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
func deviceClass(abs string) rule.Class {
	switch name := strings.TrimPrefix(abs, "/dev/"); name {
	case "null", "zero", "full", "tty", "stdout", "stderr", "stdin", "random", "urandom", "ptmx", "console":
		return rule.Drop
	default:
		switch {
		case strings.HasPrefix(name, "shm/"):
			return rule.Temp
		case strings.HasPrefix(name, "fd/"), strings.HasPrefix(name, "pts/"), strings.HasPrefix(name, "tcp/"), strings.HasPrefix(name, "udp/"):
			return rule.Drop
		}
		return rule.Device
	}
}

// isWholeTemp reports a folder that all programs share for their throw-away files.
func isWholeTemp(abs string) bool {
	switch abs {
	case "/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp":
		return true
	}
	return false
}

// isTrash reports the folder that desktops empty now and then, and what is in it.
func isTrash(abs string) bool {
	for _, dir := range [...]string{"/.Trash", "/.local/share/Trash"} {
		if _, rest, ok := strings.Cut(abs, dir); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return false
}

// isTemp reports places for throw-away files, and the folders themselves.
func isTemp(abs string) bool {
	for _, dir := range [...]string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders"} {
		if strings.HasPrefix(abs, dir) && (len(abs) == len(dir) || abs[len(dir)] == '/') {
			return true
		}
	}
	// C:\Temp is no folder of Windows itself, but where people and installers put such files.
	for _, dir := range [...]string{"/Windows/Temp", "/Temp"} {
		if rest, ok := onDrive(abs, dir); ok && rest != "" {
			return true
		}
	}
	_, rest, ok := strings.Cut(abs, "/AppData/Local/Temp")
	return ok && (rest == "" || rest[0] == '/')
}

// isHome reports a home directory by its usual place.
func isHome(abs string) bool {
	if abs == "/root" || abs == "/var/root" {
		return true
	}
	for _, dir := range [...]string{"/home/", "/Users/", "/export/home/"} {
		if rest, ok := strings.CutPrefix(abs, dir); ok && rest != "" && !strings.Contains(rest, "/") {
			return true
		}
	}
	rest, ok := onDrive(abs, "/Users")
	return ok && rest != "" && !strings.Contains(rest, "/")
}

// isHomes reports a folder whose entries are home directories.
func isHomes(abs string) bool {
	switch abs {
	case "/home", "/Users", "/export/home":
		return true
	}
	rest, ok := onDrive(abs, "/Users")
	return ok && rest == ""
}

// systemBit is System for what an operating system needs: whole trees for some,
// the top folder alone for those that also hold services' own data.
func systemBit(abs string) rule.Class {
	for _, dir := range [...]string{
		"/etc", "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/boot", "/sys", "/proc", "/dev",
		"/System", "/Library", "/Applications", "/private/etc", "/nix/store", "/var/lib/dpkg", "/var/lib/rpm", "/var/lib/docker",
		"/c/Windows", "/mnt/c/Windows",
	} {
		if strings.HasPrefix(abs, dir) && (len(abs) == len(dir) || abs[len(dir)] == '/') {
			if strings.HasPrefix(abs, "/usr/local/") {
				return 0 // what people install themselves
			}
			return rule.System
		}
	}
	for _, dir := range [...]string{"/Windows", "/Program Files", "/Program Files (x86)", "/ProgramData", "/Recovery", "/EFI"} {
		if _, ok := onDrive(abs, dir); ok {
			return rule.System
		}
	}
	switch abs {
	case "/var", "/opt", "/srv", "/run", "/mnt", "/media", "/snap", "/private", "/private/var", "/Volumes", "/nix", "/var/lib", "/var/log", "/var/db", "/cores", "/lost+found":
		return rule.System
	}
	return 0
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
