package repo

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Scripts make many commits within a second, so dates tell nothing about their order.
func TestDistanceWithinSeconds(t *testing.T) {
	home := sandbox(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for round := range 8 {
		dir := filepath.Join(home, fmt.Sprint("r", round))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		git(t, dir, "init", "-q")
		const n = 60
		var stream strings.Builder
		date := 1700000000
		for i := 1; i <= n; i++ {
			if rnd.IntN(20) == 0 {
				date++
			}
			fmt.Fprintf(&stream, "commit refs/heads/c%d\nmark :%d\ncommitter a <a@b.c> %d +0000\ndata 1\nx\n", i, i, date)
			first := max(1, i-1-rnd.IntN(6))
			if i > 1 {
				fmt.Fprintf(&stream, "from :%d\n", first)
			}
			if other := max(1, i-1-rnd.IntN(12)); i > 1 && other != first && rnd.IntN(4) == 0 {
				fmt.Fprintf(&stream, "merge :%d\n", other)
			}
			stream.WriteByte('\n')
		}
		cmd := exec.Command("git", "fast-import", "--quiet")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(stream.String())
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("fast-import: %v\n%s", err, out)
		}
		r := open(t, dir)
		for range 25 {
			a, b := fmt.Sprint("c", 1+rnd.IntN(n)), fmt.Sprint("c", 1+rnd.IntN(n))
			ours, _ := ParseHash(strings.TrimSpace(git(t, dir, "rev-parse", a)))
			theirs, _ := ParseHash(strings.TrimSpace(git(t, dir, "rev-parse", b)))
			ahead, behind, _, err := r.distance(ours, theirs, maxDistance)
			if err != nil {
				t.Fatal(err)
			}
			want := git(t, dir, "rev-list", "--left-right", "--count", a+"..."+b)
			if got := fmt.Sprintf("%d\t%d\n", ahead, behind); got != want {
				t.Errorf("round %d: distance(%s, %s) = %q, git says %q", round, a, b, got, want)
			}
		}
	}
}
