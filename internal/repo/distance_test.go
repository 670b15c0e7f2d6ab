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

// Branches of a remote that left ours long ago do not change which commits only we have.
func TestUnreachedBesideLongBranches(t *testing.T) {
	dir := filepath.Join(sandbox(t), "r")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "init", "-q")
	var stream strings.Builder
	commit := func(ref string, mark, from int) {
		fmt.Fprintf(&stream, "commit %s\nmark :%d\ncommitter a <a@b.c> %d +0000\ndata 1\nx\n", ref, mark, 1700000000+mark*60)
		if from > 0 {
			fmt.Fprintf(&stream, "from :%d\n", from)
		}
		stream.WriteByte('\n')
	}
	const each = 40
	commit("refs/remotes/origin/main", 1, 0)
	for i := 2; i <= each; i++ {
		commit("refs/remotes/origin/main", i, i-1)
	}
	for i := each + 1; i <= 2*each; i++ { // split off at the root
		from := i - 1
		if from == each {
			from = 1
		}
		commit("refs/remotes/origin/stable", i, from)
	}
	commit("refs/heads/main", 2*each+1, each)
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stream.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("fast-import: %v\n%s", err, out)
	}
	hash := func(name string) Hash {
		h, _ := ParseHash(strings.TrimSpace(git(t, dir, "rev-parse", name)))
		return h
	}
	list, more, err := open(t, dir).Unreached(hash("main"), []Hash{hash("origin/main"), hash("origin/stable")}, each/2)
	if err != nil || more || len(list) != 1 || list[0] != hash("main") {
		t.Errorf("%v, more %v, %v: want the one commit of ours", list, more, err)
	}
}
