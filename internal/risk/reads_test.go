package risk_test

import (
	"testing"

	"github.com/modu-ai/moai/generated/risks"
)

func TestOnlyReads(t *testing.T) {
	set := risks.Set()
	for _, line := range []string{
		"ls -la", "cat a.go | grep x | head -5", "git status --short && git diff", "git -C sub log -3", "sed -n '1,20p' a.go", "find . -name '*.go'",
		"grep -rn x . 2>/dev/null", "cd sub && pwd", "echo done", "X=1", "awk '{print $1}' f", "for f in *.go; do wc -l \"$f\"; done", "rg x >&2",
		"timeout 5 cat x", "git stash list", "echo \"$(git rev-parse HEAD)\"",
	} {
		if !set.OnlyReads(line, "/w", "/h") {
			t.Errorf("%q is taken for one that writes", line)
		}
	}
	for _, line := range []string{
		"sed -i s/a/b/ a.go", "echo x > a.go", "cat a >> b", "cat <<E > x.go\nhi\nE", "python3 fix.py", "go generate ./...", "git checkout -- a.go", "git stash pop",
		"find . -name '*.o' -delete", "find . -exec rm {} +", "ls | xargs rm", "ls; touch a.go", "mkdir x", "tee a.go", "sort -o a a", "make", "yq -i .a=1 x.yaml",
		"awk '{print > \"out.txt\"}' f", "ls && ./run.sh", "$EDITOR a.go", "cat a | sh", "patch -p1 < x.diff", "git apply x.diff", "sed -n 'w out' f", "ls $(touch x)",
	} {
		if set.OnlyReads(line, "/w", "/h") {
			t.Errorf("%q is taken for one that only reads", line)
		}
	}
}
