package cli

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// A way back is printed where it brings something back, and nowhere else: where nothing of what goes is held, the call is asked about
// and the message says so.
func TestNoWayBackIsPromisedInVain(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil || runtime.GOOS == "windows" {
		t.Skip("sh is needed")
	}
	const big = "head -c 11534336 /dev/urandom > big; "
	for _, row := range []struct {
		prepare, line string
		nothing       bool
		named         string
	}{
		{prepare: big, line: "rm big", nothing: true},
		{prepare: big, line: "git clean -fdq", nothing: true},
		{prepare: big, line: "echo x > big", nothing: true},
		{prepare: big + "mkdir s; mv big s", line: "rm -rf s", nothing: true},
		{prepare: big + "mkdir s; mv big s", line: "git clean -fdq s", nothing: true},
		{prepare: big + "echo big > .gitignore", line: "rm big", nothing: true},
		{prepare: "mkdir git~1; echo x > git~1/z", line: "git clean -fdq", nothing: true},
		{prepare: "mkdir -p z/.GIT; echo x > z/.GIT/config", line: "rm -rf z", nothing: true},
		{prepare: big + "echo x > small", line: "rm big small"},
		{prepare: big + "echo x > small", line: "git clean -fdq"},
		{prepare: big + "mkdir s; mv big s; echo x > s/small", line: "rm -rf s"},
		{prepare: big + "mv big src", line: "rm -rf src"},
		{prepare: big + "mkdir -p s/empty; mv big s", line: "rm -rf s"},
		{prepare: big + "mkdir s; mv big s; echo A=1 > s/.env; echo .env > .gitignore", line: "rm -rf s"},
		{prepare: big + "echo x >> README.md", line: "git clean -fdq; git checkout -q ."},
		{prepare: "echo x > run; chmod 4755 run", line: "rm run", named: "rights of their owner or group (`chmod u+s`, `g+s`): run"},
		{prepare: "chmod 4755 src/a.go; git add -A; git commit -qm t", line: "rm -rf src", named: "`g+s`): src/a.go"},
		{prepare: "chmod 2755 README.md; echo x >> README.md; chmod 2755 README.md", line: "git checkout -q .", named: "`g+s`): README.md"},
		{prepare: "git checkout -qb t; echo t > README.md; git commit -qam t; git checkout -q main; echo m > README.md; git commit -qam m; git merge -q t; echo r > README.md; git add README.md", line: "git merge --abort", named: "how conflicts were resolved"},
	} {
		t.Run(row.prepare+"; "+row.line, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			s.sh(row.prepare)
			message := s.told(row.line)
			asked := strings.Contains(s.out.String(), `"permissionDecision":"ask"`)
			if row.nothing {
				if back(message) != "" || !asked || !strings.Contains(message, "\n  nothing brings it back") {
					t.Errorf("asked %v, told: %s", asked, message)
				}
				return
			}
			if !strings.Contains(message, row.named) {
				t.Errorf("not named: %s", message)
			}
			s.sh(row.line)
			gone := s.everything()
			if code, out := s.follow(back(message)); code != 0 || len(differences(s.everything(), gone)) == 0 {
				t.Errorf("%s: exit %d, %s", back(message), code, out)
			}
		})
	}
}
