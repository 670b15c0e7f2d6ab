package repo

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/ignore"
)

// maxExplained bounds the lines of one list that are tried to find the one that decided.
const maxExplained = 10_000

// IgnoredBy names the line that keeps a path out of Git, as `git check-ignore -v` does: the file that holds it, and its
// number, 0 where it was not found within the bound. It is for people who wonder why, and looks at every line by itself.
func (r *Repo) IgnoredBy(rel string, isDir bool) (file string, line int, ignored bool) {
	rel = strings.Trim(rel, "/")
	all := r.Ignore()
	// The first folder on the way that is ignored settles it: below that no pattern counts.
	for at := 0; at < len(rel); {
		end, dir := len(rel), isDir
		if i := strings.IndexByte(rel[at:], '/'); i >= 0 {
			end, dir = at+i, true
		}
		if all.Match(rel[:end], dir) {
			file, line = r.decides(rel[:at], rel[at:end], dir)
			return file, line, true
		}
		at = end + 1
	}
	return "", 0, false
}

// decides finds the line for the entry called name of a folder ("" or "a/b/").
func (r *Repo) decides(dir, name string, isDir bool) (file string, line int) {
	for up := dir; ; {
		if n := lastLine(r.ruleFile(up+".gitignore"), up, dir, name, isDir, r.Config().Bool("core.ignorecase", false)); n != 0 {
			return filepath.Join(r.WorkTree, filepath.FromSlash(up), ".gitignore"), max(n, 0)
		}
		if up == "" {
			break
		}
		up = up[:strings.LastIndexByte(strings.TrimSuffix(up, "/"), '/')+1]
	}
	for _, list := range []string{r.ExcludeFile(), r.globalIgnore()} {
		if n := lastLine(r.outside(list), "", dir, name, isDir, r.Config().Bool("core.ignorecase", false)); n != 0 {
			return list, max(n, 0)
		}
	}
	return r.ExcludeFile(), 0
}

// lastLine is the last line of a list, which lies in the folder at, that speaks about an entry: 0 for none, -1 for one that
// was not looked for.
func lastLine(data []byte, at, dir, name string, isDir, fold bool) int {
	if len(data) == 0 || len(data) > ignore.MaxFile {
		return 0
	}
	lines := bytes.Split(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), []byte("\n"))
	speaks := func(text []byte) bool {
		m := ignore.New(ignore.Options{Fold: fold, Read: func(d string) []byte {
			if d == at {
				return text
			}
			return nil
		}})
		v, _ := m.Dir(dir).Find(name, isDir)
		return v != ignore.Undecided
	}
	for i := len(lines) - 1; i >= 0; i-- {
		if len(lines)-i > maxExplained {
			return -1
		}
		if len(bytes.TrimSpace(lines[i])) > 0 && speaks(lines[i]) {
			return i + 1
		}
	}
	return 0
}
