package repo

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
)

// What a file includes on a condition counts where Git says that it does.
func TestConfigIncludesOracle(t *testing.T) {
	home := sandbox(t)
	dir := filepath.Join(home, "work", "Project")
	kit.Must(t, os.MkdirAll(dir, 0o777))
	for _, args := range [][]string{
		{"init", "-q", "-b", "topic/one"},
		{"config", "remote.origin.url", "https://example.com/team/project.git"},
		{"config", "branch.x.note", "no remote"},
	} {
		git(t, dir, args...)
	}
	conditions := []string{
		"gitdir:~/work/", "gitdir:~/other/", "gitdir:~/work/project/.git", "gitdir/i:~/WORK/project/", "gitdir:Project/", "gitdir:./work/", "gitdir:**/.git", "gitdir/i:**/PROJECT/.git",
		"onbranch:topic/", "onbranch:topic/*", "onbranch:main", "onbranch:t*", "onbranch:**",
		"hasconfig:remote.*.url:https://example.com/**", "hasconfig:remote.*.url:https://other/**", "hasconfig:remote.*.pushurl:**", "hasconfig:branch.*.note:no*",
		"other:x", "nothing", "",
	}
	var text strings.Builder
	for i, c := range conditions {
		file := filepath.Join(home, fmt.Sprint("inc", i))
		kit.Write(t, file, "[t]\nk"+fmt.Sprint(i)+" = yes\n")
		fmt.Fprintf(&text, "[includeIf %q]\npath = %s\n", c, filepath.Base(file))
	}
	global := filepath.Join(home, ".gitconfig")
	old, _ := os.ReadFile(global)
	kit.Write(t, global, string(append(old, text.String()...)))
	for _, branch := range []string{"topic/one", ""} {
		if branch == "" { // a detached HEAD is on no branch
			for _, args := range [][]string{{"commit", "-q", "--allow-empty", "-m", "x"}, {"checkout", "-q", "--detach"}} {
				git(t, dir, args...)
			}
		}
		r, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		yes := 0
		for i, c := range conditions {
			key := fmt.Sprint("t.k", i)
			out, _ := tryGit(dir, "config", "--get", key)
			if got, _ := r.Config().Lookup(key); got != strings.TrimSpace(out) {
				t.Errorf("on %q, includeIf %q gives %q, git says %q", branch, c, got, out)
			} else if got != "" {
				yes++
			}
		}
		if yes < 5 || yes == len(conditions) {
			t.Errorf("on %q %d of %d conditions hold", branch, yes, len(conditions))
		}
	}
}

// A damaged file contributes what came before the damage. Git refuses it as a whole.
func TestConfigDamaged(t *testing.T) {
	for _, damage := range []string{
		"[", "[]", "[a", "[a b]", "[a \"b", "[a \"b\n\"]", "[a \"b\\", "[a \"b\\\n\"]", "[a \"b\"", "[a\n]", "[x]\nk v", "[x]\nk = \"open", "[x]\nk = \"open\nz = 1", "[x]\nk = \\q", "[x]\nk = a\\", "[x]\nk = a\\\r",
	} {
		p := configParser{s: "[ok]\nkey = value\n" + damage}
		var keys []string
		for p.next() {
			keys = append(keys, p.key+"="+p.value)
		}
		if len(keys) != 1 || keys[0] != "ok.key=value" {
			t.Errorf("%q reads as %q", damage, keys)
		}
	}
	p := configParser{s: "[a]\nk ; note\nl = x\\\r\ny ; end"}
	c := &Config{}
	for p.next() {
		c.add(p.key, p.value, p.bare)
	}
	if v, _ := c.Lookup("a.l"); v != "xy" || !c.Bool("a.k", false) {
		t.Errorf("a.l = %q, a.k = %v", v, c.Bool("a.k", false))
	}
}
