package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/modu-ai/moai/internal/kit"
)

// What a file holds is saved also where settings keep Git itself from seeing that it is not what the index has: same size, same time.
func TestWaysBackOfHiddenChanges(t *testing.T) {
	for _, settings := range []string{"git config core.trustctime false", "git config core.checkStat minimal", "git config core.trustctime false; git config core.checkStat minimal"} {
		for _, line := range []string{"rm src/a.go", "rm -rf src", "git checkout -q -f other", "echo x > src/a.go"} {
			t.Run(settings+"; "+line, func(t *testing.T) {
				s := newShop(t)
				s.git("branch", "other")
				s.sh(settings)
				past := time.Now().Add(-time.Hour)
				p := filepath.Join(s.dir, "src", "a.go")
				s.write("src/a.go", "package c\n")
				kit.Must(t, os.Chtimes(p, past, past))
				s.git("commit", "-q", "-a", "-m", "c")
				s.write("src/a.go", "package d\n")
				kit.Must(t, os.Chtimes(p, past, past))
				if out := s.git("status", "--porcelain"); out != "" {
					t.Skip("Git sees it: " + out)
				}
				want := s.state()
				message := s.told(line)
				s.sh(line)
				if code, out := s.follow(back(message)); code != 0 {
					t.Errorf("%s: exit %d\n%s", back(message), code, out)
				}
				for _, d := range differences(s.state(), want) {
					t.Error(d)
				}
			})
		}
	}
}
