package risk

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// verdict puts the hits together: modes, exceptions, the greatest action, the
// paths in danger.
func (c *checker) verdict() Verdict {
	in := c.in
	v := Verdict{taken: taken{c.behind, c.uncopied(), c.res != nil && c.res.Runs && !c.heard, c.makes()}, Doubts: c.doubts, Failed: c.failed, Adds: len(c.hits) > 0 && c.adds(), Unignores: len(c.hits) > 0 && c.unignores()}
	for i := range c.hits {
		h := &c.hits[i]
		// A snapshot of what is not known to be meant may miss it.
		if in.Mode == Strict && h.Action == Checkpoint && unsure(h) {
			h.Action = Ask
		}
		// Before exceptions: what a person allowed needs nobody to ask.
		if h.Action == Ask {
			h.Action = c.asks(h.Rule)
		}
		if e := c.set.exception(in, h); e != nil {
			h.Allowed, h.Action = e, Allow
		}
	}
	if c.blind {
		c.doubts = append(c.doubts, "not all of what is there was looked at")
		if !c.stopped() {
			c.hits = append(c.hits, Hit{Rule: &unseen, Action: c.asks(&unseen), Span: [2]int{0, len(in.Command)}, Text: in.Command})
		}
	}
	// What stands behind a bound may have been put there for it.
	if c.cutOff && !c.stopped() || in.Mode == Strict && len(c.doubts) > 0 && c.own == 0 {
		c.hits = append(c.hits, Hit{Rule: &doubtful, Action: c.asks(&doubtful), Span: [2]int{0, len(in.Command)}, Text: in.Command, Detail: c.doubts[0]})
	}
	// Stable: among equals the first on the line speaks for the verdict.
	sort.SliceStable(c.hits, func(i, j int) bool { return c.hits[i].Action > c.hits[j].Action })
	aside := false
	for i := range c.hits {
		h := &c.hits[i]
		if h.Action == Allow {
			continue
		}
		v.Action = max(v.Action, h.Action)
		// The snapshot is named after the hit that decided, or the first that destroys something.
		if h.Rule.Operation != "" && (v.Operation == "" || aside && h.Rule.Keeps == "") {
			v.Operation, aside = h.Rule.Operation, h.Rule.Keeps != ""
		}
		c.endangered(&v, h)
	}
	if v.Action != Allow {
		v.Lost = c.lost(c.hits[0].Rule)
	}
	// The command runs, so what it endangers is saved all the same.
	if in.Mode == Warn && v.Action > Checkpoint {
		v.Warned, v.Action = v.Action, Allow
		if len(v.Targets) > 0 {
			v.Action = Checkpoint
		}
	}
	if v.Operation == "" && v.Action == Checkpoint {
		v.Operation = "risk"
	}
	if v.Hits = c.hits; v.Action >= Checkpoint {
		v.Pins, v.Drops = c.pins()
		v.Unnamed = v.Drops && len(c.calls) > 1 && c.dropsUnnamed()
	}
	if v.Action >= Checkpoint && v.Action < Deny {
		c.touched(&v)
	}
	return v
}

// maxTouched bounds them.
const maxTouched = 64

// touched adds the paths that the line changes or deletes in the project, but for those in danger. Of a pattern it is a name in its folder. What
// Git ignores is in no snapshot: where it gets another mode, or goes to another name, it is copied.
func (c *checker) touched(v *Verdict) {
	for i := range c.calls {
		k := &c.calls[i]
		if k.away() {
			continue
		}
		if !k.namesAll(c.set) && !slices.ContainsFunc(v.Hits, func(hit Hit) bool { return hit.Span[0] >= k.cmd.Span[0] && hit.Span[1] <= k.cmd.Span[1] }) {
			v.Untold = true // what else it changes, its words do not say
		}
		for j := range k.effects {
			e := &k.effects[j]
			modes := e.kind&(rule.Chmod|rule.ChmodTree) != 0
			if e.kind&(rule.Write|rule.WriteTree|rule.Delete|rule.DeleteTree|rule.Move|rule.Rename) == 0 && !modes {
				continue
			}
			if len(v.Touched) == maxTouched || !c.spend(1) {
				v.Untold = true
				return
			}
			t := c.locate(k, e)
			v.Untold = v.Untold || t.Class&(rule.Unknown|rule.Project|rule.Parent) != 0
			if t.Class&rule.Inside == 0 || t.Class&rule.Unknown != 0 {
				continue
			}
			if v.Changed = append(v.Changed, *t); e.kind&rule.WriteTree != 0 {
				continue
			}
			moves := e.kind&(rule.Move|rule.Rename) != 0
			if moves || modes {
				c.vaults(v, t)
			}
			if moves {
				v.Moved = append(v.Moved, *t)
			}
			p := t.Path
			if at := strings.IndexAny(t.Pattern, "*?["); at >= 0 {
				p = t.Pattern[:at] + "x"
			}
			if !contains(v.Targets, p) && !contains(v.Touched, p) {
				v.Touched = append(v.Touched, p)
			}
		}
	}
}

// asks is what becomes of a rule that asks: a question, where somebody can answer it.
func (c *checker) asks(r *rule.Risk) Action {
	if c.in.Unattended || c.lost(r) != "" {
		return Deny
	}
	return Ask
}

// adds reports git add, and git stash where it takes untracked files.
func (c *checker) adds() bool {
	for i := range c.calls {
		k := &c.calls[i]
		if k.name != "git" {
			continue
		}
		if k.sub("add", nil) {
			return true
		}
		for j := range k.options {
			if c.set.In("stash-untracked", k.options[j].name) && k.sub("stash", nil) {
				return true
			}
		}
	}
	return false
}

// stopped reports whether anything is asked about or denied already.
func (c *checker) stopped() bool {
	for i := range c.hits {
		if c.hits[i].Action >= Ask {
			return true
		}
	}
	return false
}

// doubtful stands for the line as a whole in strict mode, and where a bound was met.
var doubtful = rule.Risk{
	ID: "shell.not-understood", Action: Ask, Unasked: Deny,
	Why:     "could not be read to its end, so what it does is not known",
	Instead: "write it as plain commands, one after the other",
}

// endangered adds the paths inside the project, and in other work trees of its repository, that a hit is about.
func (c *checker) endangered(v *Verdict, h *Hit) {
	v.Whole = v.Whole || len(h.Targets) == 0 && h.Rule.Operation != "" && !h.Away
	for i := range h.Targets {
		t := &h.Targets[i]
		// A snapshot of the project does not hold it, and copying it is not asked for.
		if t.Class&(rule.Inside|rule.Project|rule.Parent) == 0 && h.Rule.When.Effect != 0 && (h.Away || !c.ownTree(cmp.Or(t.Pattern, t.Path))) {
			continue
		}
		if !h.OnlyReads() {
			c.vaults(v, t)
		}
		if c.spend(len(v.Targets)/8) && !contains(v.Targets, t.Path) {
			v.Targets = append(v.Targets, t.Path)
		}
	}
}

// OnlyReads reports a hit that destroys nothing: what it is about is what gets known.
func (h *Hit) OnlyReads() bool {
	effect := h.Rule.When.Effect
	return effect != 0 && effect&^(rule.Read|rule.Send|rule.Look|rule.Run) == 0
}

// vaults adds what Git ignores, and nothing makes again: credentials not even where all else is made again. Nor does a snapshot have what one
// clone alone ignores.
func (c *checker) vaults(v *Verdict, t *Target) {
	if t.Names&rule.Exclude != 0 && !contains(v.Vault, t.Path) {
		v.Vault = append(v.Vault, t.Path)
		return
	}
	if c.ignored(t); t.Ignored && (t.Names&rule.Build == 0 || t.Names&(rule.Secret|rule.SecretDir|rule.Key) != 0) && !contains(v.Vault, t.Path) {
		v.Vault = append(v.Vault, t.Path)
	}
}

// elsewhere is the folder in which a command works on a whole repository, where
// that is not the project: after cd, or by git -C. A snapshot belongs there.
func (c *checker) elsewhere(k *call) []Target {
	if k.name == "git" {
		if t := c.byVariables(k); t != nil {
			return t
		}
	}
	dir := k.folder()
	abs, ok := c.absolute(k, dir)
	if !ok {
		// "cd $(mktemp -d)/c": the name is not known, the place is.
		if known := k.cmd.Dir.Prefix(); dir == "." && c.set.isTemp(c.cleaned(known)) {
			return []Target{{Path: known, Class: rule.Temp | rule.Unknown}}
		}
		return nil
	}
	if !k.away() {
		abs = c.throughLinks(k, abs, &effect{text: "/"})
	}
	class := c.classify(abs, k.away())
	if class&(rule.Inside|rule.Project) != 0 && class&rule.Dotgit == 0 && c.repository(abs) == c.repository(c.cleaned(cmp.Or(c.in.Dir, c.in.Root))) {
		return nil
	}
	return []Target{{Path: abs, Class: class}}
}

// repository is the nearest folder upwards that has a .git, "" where there is none or nobody can look: a repository inside
// the project is one of its own.
func (c *checker) repository(dir string) string {
	if c.in.Exists == nil {
		return ""
	}
	for n := 0; len(dir) > 1 && n < 64; dir, n = path.Dir(dir), n+1 {
		if c.in.Exists(dir + "/.git") {
			return dir
		}
	}
	return ""
}

// folder is where a command works, as its options say it: "." without any.
func (k *call) folder() string {
	dir := "."
	if k.name != "git" {
		return dir
	}
	for i := range k.options {
		switch o := &k.options[i]; o.name {
		case "--work-tree":
			dir = o.value
		case "--git-dir":
			dir = strings.TrimSuffix(strings.TrimSuffix(o.value, ".git"), "/")
			if dir == "" {
				dir = "."
			}
		}
	}
	return dir
}

// byVariables is elsewhere where GIT_DIR or GIT_WORK_TREE, given on the line or inherited, put the files that git writes, or
// the index and the branches that go with them, into another place than the working directory. Which of the two holds
// what is in danger depends on settings there, so both do; nil where neither variable says anything.
func (c *checker) byVariables(k *call) []Target {
	var list []Target
	for _, name := range [...]string{"GIT_WORK_TREE", "GIT_DIR"} {
		dir := c.inForce(k, name)
		if name == "GIT_DIR" {
			dir = strings.TrimSuffix(strings.TrimSuffix(dir, ".git"), "/")
		}
		if dir == "" {
			continue
		}
		if abs, ok := c.absolute(k, dir); ok {
			list = append(list, Target{Path: abs, Class: c.classify(abs, k.away()) &^ rule.Temp})
		}
	}
	if here, ok := c.absolute(k, "."); ok && len(list) > 0 {
		list = append(list, Target{Path: here, Class: c.classify(here, k.away()) &^ rule.Temp})
	}
	return list
}

// inForce is the value of a variable for a call: from its line, or inherited.
func (c *checker) inForce(k *call, name string) string {
	for i := len(k.cmd.Assigns) - 1; i >= 0; i-- {
		if a := &k.cmd.Assigns[i]; a.Name == name {
			return a.Value.Text
		}
	}
	v, _ := c.variable(name)
	return v
}

func contains(list []string, s string) bool {
	for _, one := range list {
		if one == s {
			return true
		}
	}
	return false
}

func unsure(h *Hit) bool {
	for i := range h.Targets {
		if h.Targets[i].Class&rule.Unknown != 0 {
			return true
		}
	}
	return false
}

// IDs lists the rules that fired and were not let through, greatest first.
func (v *Verdict) IDs() []string {
	ids := []string{}
	for i := range v.Hits {
		if h := &v.Hits[i]; h.Action != Allow && !contains(ids, h.Rule.ID) {
			ids = append(ids, h.Rule.ID)
		}
	}
	return ids
}

// Needed lists the rules that exceptions would have to be for, all of them, to change a verdict that asks or denies.
// It is empty where one of them takes no exceptions.
func (v *Verdict) Needed() (ids []string) {
	for i := range v.Hits {
		h := &v.Hits[i]
		switch {
		case h.Action < Ask || h.Action != v.Action:
		case !Excusable(h.Rule):
			return nil
		case !contains(ids, h.Rule.ID):
			ids = append(ids, h.Rule.ID)
		}
	}
	return ids
}

// First is the hit that decided; nil when nothing fired.
func (v *Verdict) First() *Hit {
	if len(v.Hits) == 0 || v.Hits[0].Action == Allow {
		return nil
	}
	return &v.Hits[0]
}

// Span is the part of the command that decided.
func (v *Verdict) Span() [2]int {
	if h := v.First(); h != nil {
		return h.Span
	}
	return [2]int{}
}

// Reason is one line for the model and the user: what, why, and which rule.
func (v *Verdict) Reason() string { return v.Masked(func(s string) string { return s }) }

// Masked is Reason without what mask hides in the parts of the command. It is asked before they are cut: half a key looks like none.
func (v *Verdict) Masked(mask func(string) string) string {
	h := v.First()
	if h == nil {
		return ""
	}
	var b strings.Builder
	if h.Text != "" {
		b.WriteString(term.OneLine(mask(h.Text), 120))
		b.WriteString(": ")
	}
	b.WriteString(h.Rule.Why)
	if len(h.Targets) > 0 {
		var paths []string
		for i := range h.Targets {
			p := term.OneLine(mask(h.Targets[i].Path), 80)
			if contains(paths, p) {
				continue // one that is read in two ways
			}
			if len(paths) == 3 {
				paths = append(paths, "…")
				break
			}
			paths = append(paths, p)
		}
		b.WriteString(" (" + strings.Join(paths, ", ") + ")")
	} else if h.Detail != "" {
		b.WriteString(" (" + term.OneLine(mask(h.Detail), 100) + ")")
	}
	b.WriteString(" [" + h.Rule.ID + "]")
	told := []string{h.Rule.ID}
	for i := range v.Hits {
		if o := &v.Hits[i]; o.Action != Allow && !contains(told, o.Rule.ID) {
			b.WriteString("; " + o.Rule.Why + " [" + o.Rule.ID + "]")
			told = append(told, o.Rule.ID)
		}
	}
	return b.String()
}

// Instead is what to do instead, from the rule that decided.
func (v *Verdict) Instead() string {
	if h := v.First(); h != nil {
		return h.Instead()
	}
	return ""
}
