//go:build linux

package rounds

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A round is one loss, or what came of the attempt.
type round struct {
	seed    uint64
	kind    chosen
	work    []uint64 // the numbers of its steps
	said    []string // what the steps were
	plan    plan
	outcome string // silent, harmless, asked, denied, brought back, skipped
	answer  answer
	changed int // things that were not as before when the line had run
	ways    int // printed ways back that were followed
	unsaid  int // things that were lost, or did not come back, without a word of moai
	faults  []string
}

// A rig keeps one repository of each kind to copy from.
type rig struct {
	scratch string
	made    map[string]*world
	bad     map[string]error
}

// template makes a kind once; later rounds copy it.
func (g *rig) template(k chosen) (*world, error) {
	if w := g.made[k.name]; w != nil || g.bad[k.name] != nil {
		return w, g.bad[k.name]
	}
	w := newWorld(g.scratch)
	err := func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				t, ok := p.(trouble)
				if !ok {
					panic(p)
				}
				err = t.error
			}
		}()
		w.reset()
		k.make(w)
		return copied(w.dir, g.copyOf(k))
	}()
	if err != nil {
		g.bad[k.name] = err
		return nil, err
	}
	g.made[k.name] = w
	return w, nil
}

func (g *rig) copyOf(k chosen) string {
	return filepath.Join(g.scratch, "kind "+strings.ReplaceAll(k.name, "/", " "))
}

// play makes the repository and the work, asks, destroys, follows the way back, and compares.
func (g *rig) play(seed uint64, k chosen, work []uint64, fixed *plan) (d *round) {
	d = &round{seed: seed, kind: k, work: work}
	defer func() {
		if p := recover(); p != nil {
			t, ok := p.(trouble)
			if !ok {
				panic(p)
			}
			d.outcome = "not played"
			d.faults = append(d.faults, "not played: "+t.Error())
		}
	}()
	w, err := g.template(k)
	if err != nil {
		if errors.Is(err, errSkip) {
			d.outcome = "skipped"
			return d
		}
		panic(trouble{fmt.Errorf("make %s: %w", k.name, err)})
	}
	remove(w.dir)
	must(copied(g.copyOf(k), w.dir))
	w.try(w.project, "update-index", "-q", "--refresh")
	for _, n := range work {
		d.said = append(d.said, w.busy(n))
	}
	if fixed != nil {
		d.plan = *fixed
	} else {
		d.plan = w.choose(rand.New(rand.NewPCG(seed, 3)), k.likes)
	}
	w.judge(d)
	return d
}

func (w *world) judge(d *round) {
	before := w.look()
	reply := w.hook(d.plan.dir, d.plan.line)
	a, err := read(reply)
	d.answer = a
	fault := func(format string, args ...any) { d.faults = append(d.faults, fmt.Sprintf(format, args...)) }
	if err != nil {
		fault("no answer: %v", err)
		return
	}
	if now := w.look(); len(missing(before, now)) > 0 || len(missing(now, before)) > 0 {
		for _, key := range append(missing(before, now), missing(now, before)...) {
			fault("the hook itself changed %s", described(key, before, now))
		}
	}
	if a.decision == "deny" {
		d.outcome = "denied"
		return
	}
	w.bash(d.plan.dir, d.plan.line)
	after := w.look()
	changed := missing(before, after)
	d.changed = len(changed)
	if len(a.ways) == 0 {
		gone := w.gone(before, after)
		switch {
		case a.decision == "ask":
			d.outcome = "asked"
		case len(gone) > 0:
			d.outcome = "lost"
			for _, key := range gone {
				if !w.named(a.text, key, before, after) {
					d.unsaid++
					fault("lost unsaid: %s", described(key, before, after))
				}
			}
		default:
			d.outcome = "harmless"
		}
		return
	}
	d.outcome = "brought back"
	if a.decision == "ask" {
		d.outcome = "asked, brought back"
	}
	var talk []string
	for _, way := range a.ways {
		d.ways++
		r := w.bash(standing(d.plan.dir), way)
		talk = append(talk, fmt.Sprintf("%s\n(exit %d) %s%s", way, r.code, r.out, r.err))
	}
	end := w.look()
	lost := w.gone(before, end)
	references := !slices.ContainsFunc(a.ways, func(way string) bool { return !strings.HasSuffix(way, " --missing") })
	for _, key := range missing(before, end) {
		if w.named(a.text, key, before, end) || elsewhere(key, strings.Join(talk, "\n")) && !slices.Contains(lost, key) {
			continue
		}
		if _, packed := end.items[key+".gz"]; packed && !slices.Contains(lost, key) {
			continue // gunzip brings it back
		}
		// A line that goes to another branch and deletes one there: what it deleted comes back, and HEAD stays where it went.
		if references && !aboutReferences(key) && !slices.Contains(lost, key) {
			continue
		}
		// One that goes there and deletes something in a repository inside: nothing is lost outside of it, and no way leads there.
		if !slices.Contains(lost, key) && (w.beside(a.ways, key, end) || shifted(a.text, key)) || sets(d.plan.line, key, before, end) {
			continue
		}
		what := "not brought back"
		if !slices.Contains(changed, key) {
			what = "broken by the way back"
		}
		d.unsaid++
		fault("%s: %s", what, described(key, before, end))
	}
	if len(d.faults) > 0 {
		d.faults = append(d.faults, "(the ways back said) "+strings.Join(talk, "\n"))
	}
}

// aside is what a restore says of a repository inside that the line has moved to another place, with all that is in it.
var aside = regexp.MustCompile(`not restored: (.+) \(a nested repository`)

// elsewhere reports something of a repository inside that the way back said to leave where it is now.
func elsewhere(key, talk string) bool {
	for _, m := range aside.FindAllStringSubmatch(talk, -1) {
		if at := strings.Index(key+"/", "/"+m[1]+"/"); at >= 0 || strings.Contains(key+" ", "/"+m[1]+" ") {
			return true
		}
	}
	return false
}

// beside reports a thing in a repository into which none of the printed ways leads, as each goes to a folder of its own. It is one that
// another commit brings along: what is gone of references, entries of the stash and settings is missed.
func (w *world) beside(ways []string, key string, after *sight) bool {
	kind, rest, _ := strings.Cut(key, " ")
	if _, there := after.items[key]; !there && aboutReferences(key) || !slices.Contains([]string{"HEAD", "ref", "index", "file", "link", "folder"}, kind) {
		return false
	}
	return !slices.ContainsFunc(ways, func(way string) bool {
		dir, ok := strings.CutPrefix(way, "cd ")
		dir, _, _ = strings.Cut(dir, " && ")
		rel, err := filepath.Rel(w.work, strings.Trim(dir, "'"))
		return !ok || err != nil || strings.HasPrefix(rest+"/", rel+"/") || strings.HasPrefix(rest, rel+" ")
	})
}

// shifted reports something of a repository inside that the line has moved: the person has read that it does not come back to its place, and
// Git has what was in it.
func shifted(text, key string) bool {
	for line := range strings.Lines(text) {
		if _, list, ok := strings.Cut(strings.TrimSpace(line), "where these repositories were, which have another name then: "); ok {
			for name := range strings.SplitSeq(list, ", ") {
				if strings.Contains(key+"/", "/"+name+"/") || strings.Contains(key, "/"+name+" ") {
					return true
				}
			}
		}
	}
	return false
}

// setByName is a setting that a line gives a value by its name: that is what it is for.
var setByName = regexp.MustCompile(`git config (?:--\S+ )*([\w.-]+\.[\w-]+)`)

// sparseSettings are where `git sparse-checkout` keeps that it is on, and which files are to be there. It moves two others to config.worktree.
var sparseSettings = []string{"core.sparsecheckout", "core.sparsecheckoutcone", "index.sparse", "extensions.worktreeconfig", "core.repositoryformatversion", "core.worktree", "core.bare"}

// sets reports settings of which nothing else differs than what the line sets, and marks of a sparse checkout where it is about that.
func sets(line, key string, before, after *sight) bool {
	var names []string
	for _, m := range setByName.FindAllStringSubmatch(line, -1) {
		names = append(names, strings.ToLower(m[1]))
	}
	if strings.Contains(line, "git sparse-checkout ") {
		switch {
		case strings.HasPrefix(key, "setting ") && (strings.HasSuffix(key, " info/sparse-checkout") || strings.HasSuffix(key, " config.worktree")):
			return true
		case strings.HasPrefix(key, "index "):
			return marked(before.items[key]) == marked(after.items[key])
		}
		names = append(names, sparseSettings...)
	}
	if !strings.HasPrefix(key, "setting ") || !strings.HasSuffix(key, " config") {
		return false
	}
	return maps.EqualFunc(variables(before.items[key], names), variables(after.items[key], names), slices.Equal)
}

// marked is an index entry without the mark that its file is not to be there.
func marked(entry string) string {
	words := strings.Fields(entry)
	if len(words) != 3 {
		return entry
	}
	bits, _ := strconv.ParseUint(words[2], 16, 32)
	return fmt.Sprintf("%s %s %x", words[0], words[1], bits&^0x40000000)
}

// variables are those of Git's settings, by their whole names, but for some.
func variables(text string, but []string) map[string][]string {
	m, section := map[string][]string{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			name, sub, _ := strings.Cut(strings.Trim(line, "[]"), " ")
			if section = strings.ToLower(name) + "."; sub != "" {
				section += strings.Trim(sub, "\"") + "."
			}
			continue
		}
		name, value, _ := strings.Cut(line, "=")
		if name = section + strings.ToLower(strings.TrimSpace(name)); line != "" && !slices.Contains(but, name) {
			m[name] = append(m[name], strings.TrimSpace(value))
		}
	}
	return m
}

// aboutReferences reports what a way back with --missing is about.
func aboutReferences(key string) bool {
	kind, _, _ := strings.Cut(key, " ")
	return kind == "ref" || kind == "stash" || kind == "setting"
}

// standing is the folder in which a person is whose own may be gone: the nearest above it.
func standing(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

func TestRounds(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	g := &rig{scratch: scratch(t), made: map[string]*world{}, bad: map[string]error{}}
	if err := program(g.scratch); err != nil {
		t.Fatal(err)
	}
	n, first := number("MOAI_ROUNDS", 25), uint64(number("MOAI_ROUNDS_SEED", 1))
	list := kinds()
	if only := os.Getenv("MOAI_ROUNDS_KIND"); only != "" {
		list = slices.DeleteFunc(list, func(k chosen) bool { return k.name != only })
		if len(list) == 0 {
			t.Fatalf("there is no kind %q", only)
		}
	}
	began := time.Now()
	var played []*round
	failed := 0
	for i := range n {
		seed := first + uint64(i)
		d := g.play(seed, list[int(seed)%len(list)], work(seed), nil)
		played = append(played, d)
		if len(d.faults) > 0 {
			failed++
			if failed <= number("MOAI_ROUNDS_SMALLER", 10) {
				d = g.smaller(d)
			}
			t.Error(d.told())
		}
		if (i+1)%100 == 0 {
			t.Logf("%d rounds, %d failed, %v", i+1, failed, time.Since(began).Round(time.Second))
		}
	}
	t.Log(table(played))
}

// work is how many steps a round takes, and which.
func work(seed uint64) (list []uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range 1 + r.IntN(9) {
		list = append(list, r.Uint64())
	}
	return list
}

// smaller leaves out every step without which the round fails all the same.
func (g *rig) smaller(d *round) *round {
	for i := 0; i < len(d.work); {
		fixed := d.plan
		less := g.play(d.seed, d.kind, slices.Delete(slices.Clone(d.work), i, i+1), &fixed)
		if len(less.faults) > 0 && less.outcome == d.outcome {
			d = less
		} else {
			i++
		}
	}
	return d
}
