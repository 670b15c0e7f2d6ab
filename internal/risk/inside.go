package risk

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/work"
)

// A line that runs a file of the project runs what the file says. That is judged as the line is, on its own account: a long script uses up
// nothing of the line's, and what is not read of it is run as anything that nobody sees, between two snapshots of the timeline.
//
// So a word is said about nothing that a snapshot brings back, nor about what only comes out when the script runs: names that it
// computes are everyday there. What is left are questions and refusals about what lies outside.

// inside adds what the files that the line runs come to.
func (c *checker) inside() {
	in := c.in
	if in.Source == nil || in.Unseen || c.carried || c.res == nil || !c.res.Runs {
		return
	}
	line, asked := in.Command, false
	for i := range c.hits {
		if c.hits[i].Action == Deny {
			return
		}
		asked = asked || c.hits[i].Action == Ask
	}
	// A line that is asked about since it is too long to be judged is not judged twice as long: of it stay the commands that run files.
	if asked && (c.cutOff || c.budget.Over()) {
		line = c.running()
	}
	if line == "" {
		return
	}
	if !c.lookInto(line, in.Source, work.Files, nil) {
		c.heard = c.heard && line == in.Command && !in.Looks.Over()
		return
	}
	if c.unjudged != "" && c.tooDeep {
		c.doubtsProgram()
		return
	}
	c.unjudged = ""
	lines, alone := map[string][]gistLine{}, map[string]gist{}
	if c.lookInto(line, func(path string) (text string, ok bool) {
		if text, ok = in.Source(path); !ok {
			return text, ok
		}
		one := c.losing(text)
		if alone[path] = one; !c.isRecipes(path) {
			text, lines[path] = one.text, one.lines
		}
		return text, ok
	}, work.Gist, lines) {
		c.eachAlone(alone)
		if c.unjudged != "" {
			c.doubtsProgram()
		}
	}
	c.heard = false
}

// doubtsProgram has the line asked about for a program in another language that is too much to be judged, even by its lines in which something may
// be lost, or in which calls lie deeper than anybody writes them: a line of such a program alone tells nothing.
func (c *checker) doubtsProgram() {
	c.cutOff, c.heard = true, false
	c.doubts = append(c.doubts, c.nameOf(c.unjudged)+" is too much to be judged")
}

// noteUnjudged notes which file in another language was not judged to its end. A makefile's lines are a shell's, a program in a line is short, and a file
// that is but named was not read. Of files of recipes it notes which lines run, where that is known.
func (c *checker) noteUnjudged(sub *checker) {
	c.run = sub.linesRun()
	c.tooDeep = slices.ContainsFunc(sub.res.Incomplete, func(d shell.Doubt) bool { return d.Reason == shell.TooDeep })
	for i := range sub.res.Commands {
		if code := sub.res.Commands[i].Code; code != nil && code.Lang != shell.LangSh && code.Lang != shell.LangMake && code.From == shell.FromFile && code.Text.Text != code.File.Text && c.unjudged == "" {
			if at, _, ok := sub.res.At(code.Text.Span); ok {
				c.unjudged = at.Path
			}
		}
	}
}

// linesRun are the lines of files that the commands are from, as "path:number"; nil where more may run.
func (c *checker) linesRun() map[string]bool {
	if len(c.res.Incomplete) > 0 {
		return nil
	}
	run := map[string]bool{}
	for i := range c.res.Commands {
		if at, line, ok := c.res.At(c.res.Commands[i].Span); ok {
			run[at.Path+":"+strconv.Itoa(line)] = true
		}
	}
	return run
}

// eachAlone judges the lines of files in which something may be lost each by itself, where they are too much together: what would be refused wherever
// it stands is refused there, too, however much stands before it. What a line alone does not tell, such as a variable, is left.
func (c *checker) eachAlone(files map[string]gist) {
	units := work.Gist
	for _, name := range slices.Sorted(maps.Keys(files)) {
		recipes := c.isRecipes(name)
		pieces := files[name].pieces(recipes)
		// What leads out of the project comes first: of a thousand lines not all can be looked at.
		leads := func(p piece) int { return strings.Count(p.text, "~") + strings.Count(p.text, "/") }
		slices.SortStableFunc(pieces, func(a, b piece) int { return leads(b) - leads(a) })
		for _, one := range pieces {
			if units <= 0 {
				break
			}
			if recipes && c.run != nil && !c.run[name+":"+strconv.Itoa(one.line)] {
				continue // it is another task's
			}
			call := *c.in
			call.Command, call.Source = one.text, nil
			sub := checker{set: c.set, named: c.named, in: &call, units: aloneUnits, budget: work.New(aloneUnits)}
			sub.line()
			units -= max(sub.budget.Used(), 1)
			for j := range sub.hits {
				h := sub.hits[j]
				if h.Action != Deny || !unsaid(&h) {
					continue
				}
				h.File, h.Line = name, one.line
				h.Text = c.nameOf(name) + ":" + strconv.Itoa(h.Line) + ": " + call.Command
				h.Span, h.index = [2]int{0, len(c.in.Command)}, 0
				c.hits = append(c.hits, h)
				return
			}
		}
	}
}

// aloneUnits is what one such line may cost.
const aloneUnits = 600

// running are the commands of the line that run files, each from the folder in which it does.
func (c *checker) running() string {
	var b strings.Builder
	for _, i := range c.res.Running {
		cmd := &c.res.Commands[i]
		if len(cmd.Args) == 0 || cmd.Dir.Kind != shell.Literal || slices.ContainsFunc(cmd.Args, func(w shell.Word) bool { return w.Kind != shell.Literal }) {
			continue
		}
		b.WriteString(argv.Quote("cd", cmd.Dir.Text) + " && ")
		for k := range cmd.Args {
			b.WriteString(argv.Quote(cmd.Args[k].Text) + " ")
		}
		for k := range cmd.Redirects {
			if r := &cmd.Redirects[k]; r.Op == "<" && r.Target.Kind == shell.Literal {
				b.WriteString("< " + argv.Quote(r.Target.Text))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// lookInto judges what the files say that source gives, where the line runs them, for so many units. lines are the numbers of the lines of those files of which only
// some are given. It reports that there was more than could be judged.
func (c *checker) lookInto(command string, source func(string) (string, bool), units int, lines map[string][]gistLine) (cut bool) {
	call := *c.in
	call.Command = command
	sub := checker{set: c.set, named: c.named, in: &call, source: c.withoutKeys(source), units: units, budget: work.New(units)}
	sub.line()
	if sub.failed != "" && c.failed == "" { // not too much, but a fault of ours
		c.failed, c.cutOff, c.doubts = sub.failed, true, append(c.doubts, sub.doubts...)
	}
	c.heard = len(sub.res.Looked) == 0
	if c.heard {
		return false
	}
	c.behind = append(c.behind, sub.takesIgnored()...)
	sub.own = len(sub.hits)
	sub.project()
	if cut = sub.cutOff || sub.budget.Over(); cut {
		c.noteUnjudged(&sub)
	}
	sub.budget = work.New(units / 4) // to say where it stands
	c.heard = !sub.passed
	for i := range sub.hits {
		h := &sub.hits[i]
		told := command == c.in.Command && slices.ContainsFunc(c.hits, func(o Hit) bool { return o.Rule == h.Rule && o.File == "" && o.Span == h.Span })
		at, line, ok := sub.fileOf(h)
		switch {
		case told: // the line itself says it, whatever the file holds
			continue
		case !ok:
			// What a file sets that the line reads in (`. ./.env.production`) may be what its own words depend on.
			if command == c.in.Command && lines == nil && unsaid(h) {
				h.index = 0
				c.hits = append(c.hits, *h)
			}
			continue
		}
		c.heard = c.heard && h.Action < Checkpoint // of all others something may be left to say
		withheld := sub.withheld(h)
		said := c.toSay(&sub, h, withheld)
		if !said && len(withheld) == 0 {
			continue
		}
		if all := lines[at.Path]; line <= len(all) {
			one := all[line-1]
			if line = one.number; one.inner && h.Action < Deny {
				continue
			}
		}
		h.File, h.Line = at.Path, line
		h.Text = c.nameOf(at.Path) + ":" + strconv.Itoa(line) + ": " + strings.TrimSpace(sub.written(h, at))
		if h.Span, h.index = sub.startOf(h), 0; command != c.in.Command {
			h.Span = [2]int{0, len(c.in.Command)}
		}
		same := func(o Hit) bool { return o.Rule == h.Rule && o.File == h.File && o.Line == h.Line }
		if said && !slices.ContainsFunc(c.hits, same) {
			c.hits = append(c.hits, *h)
		}
		if len(withheld) > 0 && !slices.ContainsFunc(c.held, same) {
			one := *h
			one.Targets = withheld
			c.held = append(c.held, one)
		}
	}
	if !cut && command == c.in.Command && lines == nil {
		c.readWhole(&sub)
	}
	return cut
}

// withoutKeys is source with nothing for the variables that a file with credentials gives a secret, so that they stay known by their names.
func (c *checker) withoutKeys(source func(string) (string, bool)) func(string) (string, bool) {
	return func(file string) (string, bool) {
		text, ok := source(file)
		if !ok || len(text) > maxLooked || c.names(file, false)&rule.Secret == 0 || !c.spend(1+len(text)/textBytes) {
			return text, ok
		}
		var b strings.Builder
		for line := range strings.Lines(text) {
			name, _, is := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
			if is && (c.set.Holds(line) || c.credentialName(strings.TrimSpace(name))) {
				line = withoutPassword(line)
			}
			b.WriteString(line)
		}
		return b.String(), true
	}
}

// withoutPassword is a line that gives a variable an address, in which the variable itself stands for who it is that goes there; an empty one for
// any other line. Which machine it is counts.
func withoutPassword(line string) string {
	name, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "=")
	kind, rest, is := strings.Cut(value, "://")
	at := strings.LastIndexByte(rest, '@')
	if !is || at < 0 || strings.ContainsAny(rest[at:], "?&") && strings.Contains(strings.ToLower(rest[at:]), "pass") {
		return "\n"
	}
	end := strings.TrimLeft(kind, `"'`)
	return name + "=" + `"` + end + "://${" + strings.TrimPrefix(strings.TrimSpace(name), "export ") + "}" + strings.TrimRight(rest[at:], `"' `) + "\"\n"
}

// toSay reports that something of a hit in a file is worth a word, and leaves that of it.
func (c *checker) toSay(sub *checker, h *Hit, withheld []Target) bool {
	if c.in.Unkept && unkept(h) || !c.in.Unkept && (sub.neverSet(h) || sub.beyond(h) || sub.endsRepository(h) || unsaid(h)) {
		return true
	}
	lost := sub.data(h, withheld, c.in.Command)
	if len(lost) > 0 {
		h.Action, h.Targets = Checkpoint, lost
	}
	return len(lost) > 0
}

// saved reports a rule of which a file that runs needs no word: nothing is asked about what a snapshot brings back, nor about what a service
// of a project is given; what it does with that is asked about.
func (c *checker) saved(r *rule.Risk, k *call) bool {
	if r.Written || len(k.cmd.Via) > 0 && k.cmd.Via[len(k.cmd.Via)-1].Name == shell.ByService {
		return true
	}
	if r.Action != Checkpoint || c.in.Unkept || k.away() || c.takesIrreplaceable(k) || r.Operation == "worktree" || c.reachesOther(k) || c.movesSubmodules(r, k) {
		return false
	}
	c.passed = c.passed || c.may(r, k) && c.fromFile(c.spanOf(r, k), k)
	return true
}

// may reports that a rule may hold for a call, as far as that costs little: those that ask for no program and no effect are tried on all.
func (c *checker) may(r *rule.Risk, k *call) bool {
	if len(r.Tools) > 0 && !c.isFor(r.Tools) {
		return false
	}
	if len(r.Programs) > 0 || r.When.Effect != 0 {
		return true
	}
	m := match{c: c, call: k, rule: r}
	return m.holds()
}

// fromFile reports a call that a file makes, or is given the text of one; see fileOf.
func (c *checker) fromFile(span shell.Span, k *call) bool {
	_, _, ok := c.res.At(span)
	if code := k.cmd.Code; !ok && code != nil {
		_, _, ok = c.res.At(code.Text.Span)
	}
	if given := k.cmd.Stdin; !ok && given != nil {
		_, _, ok = c.res.At(given.Text.Span)
	}
	return ok
}

// fileOf is the file that a hit is from: that of the command, or of the text that is handed to it.
func (c *checker) fileOf(h *Hit) (at *shell.Looked, line int, ok bool) {
	if at, line, ok = c.res.At(h.Span); ok || h.index >= len(c.calls) {
		return at, line, ok
	}
	cmd := c.calls[h.index].cmd
	if cmd.Code != nil {
		at, line, ok = c.statementAt(h, &cmd.Code.Text)
	}
	if !ok && cmd.Stdin != nil {
		at, line, ok = c.statementAt(h, &cmd.Stdin.Text)
	}
	return at, line, ok
}

// statementAt is where the statement stands in a text that a rule about statements is for.
func (c *checker) statementAt(h *Hit, w *shell.Word) (at *shell.Looked, line int, ok bool) {
	if at, line, ok = c.res.At(w.Span); !ok || w.Kind != shell.Literal {
		return at, line, ok
	}
	for rest := w.Text; rest != "" && c.spend(1); {
		var quoted []string
		_, next := statement(rest, &quoted)
		one := rest[:len(rest)-len(next)]
		if c.says(h.Rule.When.Says, one) {
			from := len(w.Text) - len(rest) + len(one) - len(uncommented(one))
			h.Detail = strings.TrimSpace(uncommented(one))
			h.Span = [2]int{w.Span[0] + from, min(w.Span[0]+len(w.Text)-len(next), w.Span[1])}
			return c.res.At(h.Span)
		}
		rest = next
	}
	return at, line, ok
}

// uncommented is a statement without what stands in front of its first word.
func uncommented(one string) string {
	for {
		one = strings.TrimLeft(one, " \t\r\n")
		end := ""
		switch {
		case strings.HasPrefix(one, "--"), strings.HasPrefix(one, "#"):
			end = "\n"
		case strings.HasPrefix(one, "/*") && !strings.HasPrefix(one, "/*!"):
			end = "*/"
		default:
			return one
		}
		_, rest, ok := strings.Cut(one, end)
		if !ok {
			return one
		}
		one = rest
	}
}

// unsaid reports a hit that is worth a word although a snapshot is there: what it is about is known, and no snapshot holds it.
func unsaid(h *Hit) bool {
	if h.Action < Ask {
		return false
	}
	if len(h.Targets) == 0 || h.Away || h.OnlyReads() {
		return !unsure(h)
	}
	h.Targets = slices.DeleteFunc(h.Targets, func(t Target) bool { return t.Class&rule.Unknown != 0 || kept(&t) })
	return len(h.Targets) > 0
}

// beyond reports a hit about another repository: a nested one, a submodule, a linked work tree. The project's snapshot holds nothing of it, so
// what is said of it on the line is said of it in a file as well. Only that stays of the hit.
func (c *checker) beyond(h *Hit) bool {
	if h.Action < Checkpoint || h.Away || h.OnlyReads() {
		return false
	}
	if len(h.Targets) == 0 {
		return c.worksInOther(&c.calls[h.index]) || c.loopsOver(&c.calls[h.index]) || c.movesSubmodules(h.Rule, &c.calls[h.index])
	}
	k := &c.calls[h.index]
	list := slices.DeleteFunc(slices.Clone(h.Targets), func(t Target) bool {
		return !c.ofOther(&t, h.Rule.When.Effect) && !(t.Class&rule.Unknown != 0 && t.Pattern == "" && c.loopsOver(k))
	})
	if len(list) == 0 {
		return c.movesSubmodules(h.Rule, k)
	}
	h.Targets = list
	return true
}

// endsRepository reports a hit about names that a search or a listing prints, with the repository's own folder among them, in which all snapshots are.
func (c *checker) endsRepository(h *Hit) bool {
	if h.Action != Deny || h.Away || h.OnlyReads() || h.index >= len(c.calls) {
		return false
	}
	m := match{c: c, call: &c.calls[h.index], rule: h.Rule}
	return slices.ContainsFunc(m.call.effects, func(e effect) bool {
		return e.kind&(rule.Delete|rule.DeleteTree|rule.Move) != 0 && handedOn(&e) && c.spend(costCalls) && m.takesGit(&e) != never
	})
}

// movesSubmodules reports a call of Git's in a repository with submodules: it may empty them, or throw away what was changed in them, by its words or
// as settings say (submodule.recurse).
func (c *checker) movesSubmodules(r *rule.Risk, k *call) bool {
	if r.Action != Checkpoint || !r.Programs.Has("git") || !r.Programs.Has(k.name) || c.in.Exists == nil {
		return false
	}
	if k.modules == 0 {
		k.modules = no
		if dir, ok := c.absolute(k, k.folder()); ok && c.spend(costSettings) {
			if top := c.repository(dir); top != "" && c.in.Exists(top+"/.gitmodules") {
				k.modules = yes
			}
		}
	}
	return k.modules == yes
}

// reachesOther reports a call that works in another repository, or takes something of one.
func (c *checker) reachesOther(k *call) bool {
	if k.beyond == 0 {
		k.beyond = no
		if c.worksInOther(k) || slices.ContainsFunc(k.effects, func(e effect) bool {
			return e.kind&(destroys|rule.Move) != 0 && c.ofOther(c.locate(k, &e), e.kind)
		}) || c.loopsOver(k) {
			k.beyond = yes
		}
	}
	return k.beyond == yes
}

// other tells of a folder or file that a repository besides the project's holds it.
func (c *checker) other(p string) bool {
	if !c.spend(costSettings) {
		return false
	}
	repository := c.repository(p)
	return repository != "" && repository != c.in.Root && c.repository(c.in.Root) == c.in.Root
}

// worksInOther reports a call in the folder of another repository.
func (c *checker) worksInOther(k *call) bool {
	dir, ok := c.absolute(k, k.folder())
	return ok && k.cmd.Dir.Kind == shell.Literal && c.other(dir)
}

// otherFits reports a pattern that a repository inside the project fits, or something in one.
func (c *checker) otherFits(pattern string) bool {
	fits := c.foldersFit()
	if fits == nil || !strings.HasPrefix(pattern, "/") || !c.spend(costSettings) {
		return false
	}
	dirs, _ := fits(pattern)
	return slices.ContainsFunc(append(dirs, path.Dir(pattern)), func(dir string) bool { return !strings.ContainsAny(dir, "*?[") && c.other(dir) })
}

// loopsOver reports a call for each name that a pattern gives, with another repository among them: for d in */; do rm -rf "$d"; done.
func (c *checker) loopsOver(k *call) bool {
	for i := range k.cmd.Args {
		w := &k.cmd.Args[i]
		if n := len(w.Parts) - 1; n >= 0 && w.Parts[n].Listed && len(w.Parts[n].From) == 0 {
			if dir, ok := c.absolute(k, cmp.Or(w.Prefix(), ".")); ok && c.otherFits(dir+"/"+strings.TrimSuffix(w.Parts[n].Text, "/")) {
				return true
			}
		}
	}
	return false
}

// ofOther reports a path in another repository, or one that such a one goes with.
func (c *checker) ofOther(t *Target, effect rule.Kind) bool {
	if t.Pattern != "" {
		return t.Class&rule.Temp == 0 && c.otherFits(t.Pattern)
	}
	if t.Class&(rule.Unknown|rule.Temp) != 0 || t.Names&rule.Build != 0 || t.Path == "" {
		return false
	}
	return c.other(t.Path) || effect&(rule.DeleteTree|rule.Move) != 0 && c.in.Inner != nil && c.spend(costSettings) && len(c.in.Inner(t.Path, 1, c.entered(), t.Takes)) > 0
}

// kept reports what a snapshot of the project brings back.
func kept(t *Target) bool {
	return t.Class&rule.Inside != 0 && t.Class&(rule.Dotgit|rule.Project|rule.Parent) == 0 && t.Names&(rule.Guard|rule.Agent) == 0
}

// unkept reports a hit of which nothing is said since a snapshot brings back what it is about: that alone stays of it. What only comes out when the
// script runs is everyday there, and no question.
func unkept(h *Hit) bool {
	if h.Action < Checkpoint || h.Away || h.OnlyReads() {
		return false
	}
	if len(h.Targets) == 0 {
		return h.Action == Checkpoint
	}
	h.Targets = slices.DeleteFunc(h.Targets, func(t Target) bool { return t.Class&rule.Unknown != 0 || h.Action > Checkpoint && !kept(&t) })
	return len(h.Targets) > 0
}

// written is how the part of a file is written that a hit is about.
func (c *checker) written(h *Hit, at *shell.Looked) string {
	s := h.Span
	if s[0] < at.Span[0] || s[1] > at.Span[1] || s[0] >= s[1] {
		s = [2]int{max(at.Span[0], min(s[0], at.Span[1])), at.Span[1]}
	}
	text := c.res.Text[s[0]:s[1]]
	if len(text) > 0 && s[0] == at.Span[0] && s[1] == at.Span[1] && !at.Fixed {
		text, _, _ = strings.Cut(text, "\n") // the whole file
	}
	return text
}

// startOf is the part of the line that runs the file.
func (c *checker) startOf(h *Hit) [2]int {
	if len(h.Via) > 0 && h.Via[0].Span[1] <= len(c.in.Command) {
		return h.Via[0].Span
	}
	return [2]int{0, len(c.in.Command)}
}

// nameOf is a file as the person at work knows it.
func (c *checker) nameOf(p string) string {
	for _, dir := range [...]string{c.in.Dir, c.in.Root} {
		if rest, ok := strings.CutPrefix(p, strings.TrimSuffix(dir, "/")+"/"); ok && dir != "" {
			return rest
		}
	}
	return path.Base(p)
}
