package ground

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/kit"
	"github.com/modu-ai/moai/internal/work"
)

// TestLinksAgree compares a tree full of links with what the standard library makes of it,
// each path with a memory of its own and all of them with one.
func TestLinksAgree(t *testing.T) {
	dir := kit.Dir(t)
	if runtime.GOOS == "windows" || os.Symlink("x", filepath.Join(dir, "try")) != nil {
		t.Skip("no symbolic links of the usual kind here")
	}
	r := rand.New(rand.NewPCG(3, 4))
	names := []string{"a", "b", "c", "d"}
	random := func(more ...string) string {
		var parts []string
		for range 1 + r.IntN(4) {
			parts = append(parts, append(names, more...)[r.IntN(len(names)+len(more))])
		}
		return strings.Join(parts, "/")
	}
	for range 60 {
		p := filepath.Join(dir, random())
		_ = os.MkdirAll(filepath.Dir(p), 0o755) // what is in the way stays there
		if r.IntN(2) == 0 {
			to := random("..", ".")
			if r.IntN(4) == 0 {
				to = filepath.Join(dir, to)
			}
			_ = os.Symlink(to, p)
		}
	}
	var shared links
	there := 0
	for range 5000 {
		p := filepath.Join(dir, random())
		want, err := filepath.EvalSymlinks(p)
		if err != nil {
			continue // the end is missing: TestFollow tells what is wanted then
		}
		there++
		if got := Follow(p); got != want {
			t.Errorf("Follow(%s) = %s, want %s", p, got, want)
		}
		if got := shared.Follow(p); got != want {
			t.Errorf("with a memory, Follow(%s) = %s, want %s", p, got, want)
		}
	}
	if there < 500 {
		t.Errorf("%d paths were there: the test shows little", there)
	}
}

// TestLinksAreCounted asserts that many paths of one deep folder cost little more than one,
// and that no tree makes resolving them take long.
func TestLinksAreCounted(t *testing.T) {
	dir := kit.Dir(t)
	kit.Must(t, os.MkdirAll(filepath.Join(dir, "n40"), 0o755))
	for i := range 40 { // each leads to the next one twice
		if err := os.Symlink(fmt.Sprintf("n%d/../n%d", i+1, i+1), filepath.Join(dir, fmt.Sprintf("n%d", i))); err != nil {
			t.Skip("no symbolic links here:", err)
		}
	}
	deep := filepath.Join(dir, strings.Repeat("x/", 300))
	for name, form := range map[string]string{
		"one folder that is not there": deep + "/%d",
		"links into each other":        dir + "/n0/%d",
		"folders that are not there":   dir + "/%d/" + strings.Repeat("x/", 300),
		"parts without end":            dir + "/%d" + strings.Repeat("/x", 20_000),
	} {
		one, many := work.New(1<<40), work.New(1<<40)
		(&links{looks: one}).Follow(fmt.Sprintf(form, 0))
		l := links{looks: many}
		for i := range 300 {
			l.Follow(fmt.Sprintf(form, i))
		}
		// A path whose end is new is looked at once more, and nothing else is.
		if n := many.Used() - one.Used(); n > 300*(4*work.Look+len(form)/16) {
			t.Errorf("%s: %d units for one, %d for 300 of them", name, one.Used(), many.Used())
		}
		if one.Used() > 60_000 {
			t.Errorf("%s: %d units for one", name, one.Used())
		}
	}
	over := work.New(0)
	over.Take(1)
	if p := filepath.Join(dir, "n39", "x"); (&links{looks: over}).Follow(p) != p {
		t.Error("without work left a link was followed")
	}
}
