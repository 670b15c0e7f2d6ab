package risk_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/modu-ai/moai/generated/risks"
	"github.com/modu-ai/moai/internal/risk"
)

func TestOnlyReads(t *testing.T) {
	set := risks.Set()
	for _, line := range []string{
		"ls -la", "cat a.go | grep x | head -5", "git status --short && git diff", "git -C sub log -3", "sed -n '1,20p' a.go", "find . -name '*.go'",
		"grep -rn x . 2>/dev/null", "cd sub && pwd", "echo done", "X=1", "awk '{print $1}' f", "for f in *.go; do wc -l \"$f\"; done", "rg x >&2",
		"timeout 5 cat x", "git stash list", "echo \"$(git rev-parse HEAD)\"",
		"git branch", "git branch -avv", "git branch --show-current", "git symbolic-ref --short HEAD", "git fetch origin main", "git remote -v",
	} {
		if !set.OnlyReads(line, "/w", "/h") {
			t.Errorf("%q is taken for one that writes", line)
		}
	}
	for _, line := range []string{
		"git push . HEAD:refs/heads/feat", "git push -q . :feat", "git push . --mirror", "git push /w HEAD:x",
		"sed -i s/a/b/ a.go", "echo x > a.go", "cat a >> b", "cat <<E > x.go\nhi\nE", "python3 fix.py", "go generate ./...", "git checkout -- a.go", "git stash pop",
		"find . -name '*.o' -delete", "find . -exec rm {} +", "ls | xargs rm", "ls; touch a.go", "mkdir x", "tee a.go", "sort -o a a", "make", "yq -i .a=1 x.yaml",
		"awk '{print > \"out.txt\"}' f", "ls && ./run.sh", "$EDITOR a.go", "cat a | sh", "patch -p1 < x.diff", "git apply x.diff", "sed -n 'w out' f", "ls $(touch x)",
		"git branch -D old", "git add -A", "git add a.go", "git branch -f main HEAD~1", "git branch -m a b", "git branch new", "git symbolic-ref HEAD refs/heads/x", "git fetch . a:b", "git fetch origin refs/heads/a:refs/heads/a",
	} {
		if set.OnlyReads(line, "/w", "/h") {
			t.Errorf("%q is taken for one that only reads", line)
		}
	}
}

func TestEdited(t *testing.T) {
	set := risks.Set()
	for line, want := range map[string]string{
		"sed -i s/a/b/ a.go":                         "/w/a.go",
		"cat > src/x.go <<E\nhi\nE":                  "/w/src/x.go",
		"cd src && cat a >> b":                       "/w/src/b",
		"tee a.go < b":                               "/w/a.go",
		"cp a b; mv c d":                             "/w/b /w/c /w/d",
		"perl -pi -e s/a/b/ x":                       "/w/x",
		"python3 -c \"open('a', 'w').write('x')\"":   "/w/a",
		"bash -c 'echo x > y'":                       "/w/y",
		"git apply x.diff":                           "/w",
		"rm a.go":                                    "/w/a.go",
		"echo x > /tmp/out":                          "/tmp/out",
		"ls 2>/dev/null; cat a.go > /dev/stderr":     "",
		"go test ./...":                              "",
		"moai port create x --title y --start":       "",
		"moai port create x && moai hook port-start": "",
		"gofmt -w a.go; black .":                     "",
		"git status; git diff > /dev/null":           "",
		"ssh host 'echo x > y'":                      "",
	} {
		var got []string
		for _, one := range set.Edited(line, "/w", "/h") {
			got = append(got, one.Path)
		}
		if slices.Sort(got); strings.Join(got, " ") != want {
			t.Errorf("%q writes %q, want %q", line, got, want)
		}
	}
}

// What changes files that its words need not name.
func TestFormats(t *testing.T) {
	set := risks.Set()
	for line, want := range map[string]bool{
		"gofmt -w .": true, "gofmt -l .": false, "prettier --write src": true, "prettier --check src": false, "black src": true, "black --check src": false, "cargo fmt": true,
		"cargo fmt --check": false, "cargo build": false, "npx eslint --fix .": true, "git stash pop": true, "git stash list": false, "git restore a.go": true, "ruff check --fix": true,
	} {
		got := slices.ContainsFunc(set.Edited(line, "/w", "/h"), func(t risk.Target) bool { return t.Path == "" })
		if got != want {
			t.Errorf("%q edits: %v", line, got)
		}
	}
}
