package repo

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/ignore"
)

const (
	// Real files have some kilobytes. What is bigger is somebody's attempt to fill the memory.
	maxConfig       = 2 << 20
	maxIncludeDepth = 10 // git's own limit
	// maxIncludes bounds the files that one file brings in, all levels together. Git refuses files that include each other; here
	// they would be read again and again, ten levels deep. An installation with one file for each of its projects has some dozens.
	maxIncludes = 500
	// maxEntries bounds the variables of one load: 12,000 branches have two each. A call reads them two or three times.
	maxEntries = 25_000
	// maxCompared bounds what conditions of includes are compared with, all together.
	maxCompared = 100_000
	// maxCondition bounds one condition in bytes, as long as a path may be.
	maxCondition = 4096
)

// loadState is what includes depend on.
type loadState struct {
	gitDir string
	repo   *Repo // for conditions on the branch and on remotes; may be nil
	depth  int
	files  int                    // read so far
	size   int64                  // their bytes
	entry  int                    // their variables
	tried  int                    // what conditions were compared with
	cut    bool                   // a bound was met: what came after it is not known
	real   func() (string, error) // gitDir without links, looked up once
}

// load reads one file and what it includes. A file that is missing, too large or
// damaged contributes what came before the damage.
func (c *Config) load(path string, st *loadState) {
	if st.files++; st.files > maxIncludes {
		st.cut = true
		return
	}
	b, _, err := disk.ReadFile(path, maxConfig-st.size)
	if err != nil {
		if fi, err := os.Stat(path); err == nil && fi.Mode().IsRegular() && fi.Size() > maxConfig-st.size {
			st.cut = true
		}
		return
	}
	st.size += int64(len(b))
	p := configParser{s: strings.TrimPrefix(string(b), "\xef\xbb\xbf")}
	for p.next() {
		if st.entry++; st.entry > maxEntries {
			st.cut = true
			return
		}
		c.add(p.key, p.value, p.bare)
		// Nearly every variable ends here; the keys that include are compared for the few that may.
		if !strings.HasSuffix(p.key, ".path") || st.depth >= maxIncludeDepth {
			continue
		}
		if p.key == "include.path" || strings.HasPrefix(p.key, "includeif.") && c.includes(p.key, path, st) {
			target := expandPath(p.value)
			if target == "" {
				continue
			}
			// A relative path counts from the file that names it, not from the working directory.
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(path), target)
			}
			st.depth++
			c.load(target, st)
			st.depth--
		}
		if st.cut { // nobody goes by such a configuration, so the rest of it need not be read
			return
		}
	}
}

// includes evaluates the condition of an includeIf section.
func (c *Config) includes(key, file string, st *loadState) bool {
	cond := strings.TrimSuffix(strings.TrimPrefix(key, "includeif."), ".path")
	kind, arg, _ := strings.Cut(cond, ":")
	if st.tried++; st.tried > maxCompared || len(cond) > maxCondition {
		st.cut = true
		return false
	}
	switch kind {
	case "gitdir", "gitdir/i":
		if st.gitDir == "" {
			return false
		}
		if rest, ok := strings.CutPrefix(arg, "./"); ok {
			arg = filepath.ToSlash(filepath.Dir(file)) + "/" + rest
		} else if strings.HasPrefix(arg, "~") {
			// Expanding cleans the path; a slash at its end is what means "and everything below".
			slash := strings.HasSuffix(arg, "/")
			if arg = filepath.ToSlash(expandPath(arg)); slash {
				arg += "/"
			}
		}
		flags := ignore.Pathname
		if kind == "gitdir/i" {
			flags |= ignore.Fold
		}
		st.tried += 50 + len(arg)*len(st.gitDir)/64
		dir := filepath.ToSlash(st.gitDir)
		// Git tries both spellings: a home directory is often a link itself.
		if st.real == nil {
			st.real = sync.OnceValues(func() (string, error) { return filepath.EvalSymlinks(st.gitDir) })
		}
		real, err := st.real()
		return matchDir(arg, dir, flags) || err == nil && matchDir(arg, filepath.ToSlash(real), flags)
	case "onbranch":
		// Without a repository there is no branch, as in the files that are read before one is opened.
		if st.repo == nil {
			return false
		}
		h, err := st.repo.headRef()
		if err != nil || !strings.HasPrefix(h, "refs/heads/") {
			return false
		}
		if strings.HasSuffix(arg, "/") {
			arg += "**"
		}
		return ignore.Wildmatch(arg, strings.TrimPrefix(h, "refs/heads/"), ignore.Pathname)
	case "hasconfig":
		// Only the repository's own file is asked: git forbids remotes in files that are included this way, so that nothing can
		// depend on itself.
		pattern, ok := strings.CutPrefix(arg, "remote.*.url:")
		if !ok || st.repo == nil || st.repo.local == nil {
			return false
		}
		st.tried += len(st.repo.local.entries) / 8
		for _, e := range st.repo.local.entries {
			if !strings.HasPrefix(e.key, "remote.") || !strings.HasSuffix(e.key, ".url") {
				continue
			}
			if st.tried += len(pattern) * len(e.value) / 64; st.tried > maxCompared {
				st.cut = true
				return false
			}
			if ignore.Wildmatch(pattern, e.value, ignore.Pathname) {
				return true
			}
		}
	}
	return false
}

// matchDir matches a gitdir pattern: relative ones may begin anywhere, a trailing
// slash stands for everything below.
func matchDir(pattern, dir string, flags ignore.Flags) bool {
	if !strings.HasPrefix(pattern, "/") && !filepath.IsAbs(pattern) {
		pattern = "**/" + pattern
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
		dir += "/"
	}
	return ignore.Wildmatch(pattern, dir, flags)
}

// configParser reads git's configuration syntax one variable at a time.
type configParser struct {
	s       string
	section string // "core." or "branch.Main."
	key     string
	value   string
	bare    bool
}

// next finds the next variable; false at the end or at the first syntax error.
func (p *configParser) next() bool {
	for {
		p.s = strings.TrimLeft(p.s, " \t\r\n\v\f")
		if p.s == "" {
			return false
		}
		switch p.s[0] {
		case '#', ';':
			_, p.s, _ = strings.Cut(p.s, "\n")
		case '[':
			if !p.header() {
				return false
			}
		default:
			return p.variable()
		}
	}
}

// header reads [section], [section "subsection"] or the old [section.subsection].
func (p *configParser) header() bool {
	s := p.s[1:]
	i := 0
	for i < len(s) && (isAlnum(s[i]) || s[i] == '-' || s[i] == '.') {
		i++
	}
	name := strings.ToLower(s[:i])
	s = strings.TrimLeft(s[i:], " \t")
	// `[]` is an error, and yet git takes `["x"]`: a section without a name.
	if name == "" && (s == "" || s[0] != '"') {
		return false
	}
	if s != "" && s[0] == '"' {
		var sub strings.Builder
		for i = 1; ; i++ {
			if i >= len(s) || s[i] == '\n' {
				return false
			}
			if s[i] == '"' {
				break
			}
			// Here a backslash keeps any character, unlike in values, where only five are known.
			if s[i] == '\\' {
				i++
				if i >= len(s) || s[i] == '\n' {
					return false
				}
			}
			sub.WriteByte(s[i])
		}
		name += "." + sub.String()
		s = strings.TrimLeft(s[i+1:], " \t")
	}
	if s == "" || s[0] != ']' {
		return false
	}
	p.section, p.s = name+".", s[1:]
	return true
}

func (p *configParser) variable() bool {
	i := 0
	for i < len(p.s) && (isAlnum(p.s[i]) || p.s[i] == '-') {
		i++
	}
	if i == 0 || p.section == "" {
		return false
	}
	p.key = p.section + strings.ToLower(p.s[:i])
	p.s = strings.TrimLeft(p.s[i:], " \t")
	// A key without "=" is true as a boolean and an error as a string; the caller has to know.
	p.value, p.bare = "", true
	// The name alone is a variable that is set.
	if p.s == "" || p.s[0] == '\n' || p.s[0] == '\r' {
		return true
	}
	if p.s[0] == '#' || p.s[0] == ';' {
		return true
	}
	if p.s[0] != '=' {
		return false
	}
	p.bare, p.s = false, p.s[1:]
	return p.readValue()
}

// readValue reads up to the end of the line: quotes, escapes, a backslash that
// continues the line, comments, inner blanks kept, outer ones dropped.
func (p *configParser) readValue() bool {
	var b strings.Builder
	quoted, blanks := false, 0
	i := 0
	for ; i < len(p.s); i++ {
		c := p.s[i]
		switch {
		case c == '\n':
			if quoted {
				return false
			}
			p.s, p.value = p.s[i+1:], b.String()
			return true
		// Files from Windows. A carriage return elsewhere belongs to the value.
		case c == '\r' && i+1 < len(p.s) && p.s[i+1] == '\n':
			continue
		// Between the quotes blanks are part of the value.
		case !quoted && (c == ' ' || c == '\t'):
			if b.Len() > 0 {
				blanks++
			}
			continue
		case !quoted && (c == '#' || c == ';'):
			end := strings.IndexByte(p.s[i:], '\n')
			if end < 0 {
				end = len(p.s) - i
			}
			p.s, p.value = p.s[i+end:], b.String()
			return true
		}
		// A quote only turns on and off what the other characters mean; it can stand anywhere in a value.
		if c == '"' {
			quoted = !quoted
			continue
		}
		if c == '\\' {
			i++
			if i < len(p.s) && p.s[i] == '\r' && i+1 < len(p.s) && p.s[i+1] == '\n' {
				i++
			}
			if i >= len(p.s) {
				return false
			}
			switch p.s[i] {
			case '\n':
				continue
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case 'b':
				c = '\b'
			case '\\', '"':
				c = p.s[i]
			default:
				return false
			}
		}
		// Blanks count only once something follows them. Git makes each a space, tabs too.
		for ; blanks > 0; blanks-- {
			b.WriteByte(' ')
		}
		b.WriteByte(c)
	}
	// The file ends inside a text.
	if quoted {
		return false
	}
	p.s, p.value = "", b.String()
	return true
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
