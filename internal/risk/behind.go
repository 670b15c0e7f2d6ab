package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// taken is what a call comes to with what Git ignores, besides what is said of it.
type taken struct {
	// Behind is what Git ignores and is taken away, or written over, by the files that the line runs, or by the line where its words do
	// not tell the name. Nothing is said of it: it is copied, so that an undo has it. Uncopied is the verdict where that cannot be done; nil where nothing would be said all the same.
	Behind   []Target
	Uncopied *Verdict
	// Runs tells that the line runs files that may say more; see [Input.Unkept].
	Runs bool
	// Makes are files that Git ignores and that the line makes: an undo takes them away.
	Makes []string
}

// maxBehind bounds them: as many as are copied.
const maxBehind = 1000

// takesIgnored are the files and folders in the project that Git ignores and that the calls take away, or write over. What a build makes again
// is none.
func (c *checker) takesIgnored() []Target { return c.takesOf(false) }

// takesOpen are those that the words of the line itself do not name, such as data/$i.csv: what they name is judged by rules.
func (c *checker) takesOpen() []Target { return c.takesOf(true) }

// takesOf is takesIgnored of all effects, or of those alone that are open.
func (c *checker) takesOf(open bool) (list []Target) {
	for i := range c.calls {
		k := &c.calls[i]
		if k.away() {
			continue
		}
		for j := range k.effects {
			e := &k.effects[j]
			if e.kind&(destroys|rule.Move|rule.Rename) == 0 || open && e.known && e.kind&(rule.Move|rule.Rename) == 0 {
				continue
			}
			if len(list) == maxBehind || !c.spend(1) {
				return list
			}
			t := *c.locate(k, e)
			if t.kept = c.takesPlace(k, e, &t); t.kept {
				list = append(list, t)
				continue
			}
			if open && e.known {
				continue
			}
			if t.whole = e.kind&(rule.DeleteTree|rule.Move|rule.Rename) != 0; c.open(k, e, &t) || c.irreplaceable(&t) || c.listing(k, e, &t) {
				if list = append(list, t); open {
					c.holds(k, j, &t)
				}
			}
		}
	}
	return list
}

// takesPlace reports what a build makes again, such as app.log, that is moved into the place of what none does: a copy of that comes back
// over the only one that is left.
func (c *checker) takesPlace(k *call, e *effect, t *Target) bool {
	if e.kind&(rule.Move|rule.Rename) == 0 || !e.known || t.Pattern != "" || t.Names&rule.Build == 0 || c.in.Regular == nil || !c.spend(1) {
		return false
	}
	if c.ignored(t); !t.Ignored || !c.in.Regular(t.Path) {
		return false
	}
	return slices.ContainsFunc(k.effects, func(to effect) bool {
		if to.kind&rule.Write == 0 || !to.known || to.word == e.word {
			return false
		}
		at := *c.locate(k, &to)
		return c.irreplaceable(&at) && c.in.Regular(at.Path)
	})
}

// holds keeps what would be said of a call if it named one of the files that an open name stands for: for where no copy can be made of these.
func (c *checker) holds(k *call, j int, t *Target) {
	if t.Pattern == "" || strings.ContainsAny(path.Dir(t.Pattern), "*?[") || c.in.Names == nil || !c.spend(costPlace) {
		return
	}
	names, _ := c.in.Names(t.Pattern)
	if len(names) == 0 {
		return
	}
	one := *k
	file := path.Join(path.Dir(t.Pattern), names[0])
	one.effects, one.loses = slices.Clone(k.effects), 0
	one.effects[j] = effect{kind: k.effects[j].kind, word: &shell.Word{Text: file, Span: k.effects[j].word.Span}, text: file, known: true, redirect: k.effects[j].redirect}
	was := c.hits
	c.hits = nil
	c.judge(&one)
	for _, h := range c.hits {
		if h.Action == Checkpoint && h.Rule.When.Effect&destroys != 0 && !slices.ContainsFunc(c.held, func(o Hit) bool { return o.Rule == h.Rule && o.Span == h.Span }) {
			h.Targets = []Target{*t}
			c.held = append(c.held, h)
		}
	}
	c.hits = was
}

// listing reports names that come from a listing which tells them, or which has what Git ignores in it: ls -d dat* | xargs rm -rf. So has what
// a program lists of a folder that it names: for f in os.scandir("data").
func (c *checker) listing(k *call, e *effect, t *Target) bool {
	if e.known || t.Class&(rule.Inside|rule.Project|rule.Unknown) == 0 || !c.spend(costCalls) {
		return false
	}
	m := match{c: c, call: k}
	m.found(e, t)
	return t.Found() && (t.Sure() || t.own || m.listsIgnored(e) || m.searchesIgnored(e) || m.printsFolder(e, t))
}

// printsFolder reports names that come from a listing of a folder: ls | grep dat | xargs rm. What lies deeper is not among them, unless it says so or folders go.
func (m *match) printsFolder(e *effect, t *Target) bool {
	set, deep := m.c.set, t.whole
	if !m.lister(e, func(p *call) bool {
		is := set.In("lists-folders", p.raw)
		deep = deep || is && p.givenOf(set.members("options-listing-deep"))
		return is
	}) {
		return false
	}
	if picks := t.picks; !deep && path.IsAbs(t.Path) {
		t.picks = func(file string) bool { return path.Dir(file) == t.Path && picks(file) }
	}
	return true
}

// searchesIgnored reports names that come from a search for text which leaves out nothing that Git ignores: grep -rl x . | xargs sed -i s/x/y/.
func (m *match) searchesIgnored(e *effect) bool {
	set := m.c.set
	return !m.listsBy(e, false) && m.lister(e, func(p *call) bool {
		return set.In("searches-text", p.name) && p.givenOf(set.members("options-listing-files")) && p.givenOf(set.members("options-searching-hidden"))
	})
}

// open reports a name of which the beginning is known, and says which files it may stand for: os.remove(f"local/{n}.json") for local/*.json. What
// is open may be several folders. A name that begins open may lead anywhere.
func (c *checker) open(k *call, e *effect, t *Target) bool {
	m := match{c: c, call: k}
	switch {
	case e.known || e.text != e.word.Text || e.word.Fresh() || path.Clean(e.word.Prefix()) == "." || t.Names&rule.Build != 0:
		return false
	case !c.spend(costCalls) || m.searcher(e) != nil || e.word.Listed() && e.glob || c.namesHeld(k, e): // of these more is known
		return false
	}
	pattern, ok := c.absolute(k, openPattern(e))
	if first := strings.IndexByte(pattern, '*'); ok && first >= 0 {
		dir, base := path.Dir(pattern[:first]+"x"), path.Base(pattern)
		if !lies(dir, c.in.Root) {
			return false
		}
		t.Pattern, t.guess = pattern, true
		t.picks = func(file string) bool {
			return lies(file, dir) && (fitsWith(pattern, file, true) || fitsWith(base, path.Base(file), true))
		}
	}
	return t.Found()
}

// openPattern is such a name with a wildcard for what is open. A sign that would be one, and is none, fits any.
func openPattern(e *effect) string {
	var b strings.Builder
	for _, p := range e.word.Parts {
		switch {
		case p.Unknown:
			b.WriteByte('*')
		case e.glob:
			b.WriteString(p.Text)
		default:
			b.WriteString(strings.Map(func(r rune) rune {
				if strings.ContainsRune(`*?[]{}()\`, r) {
					return '?'
				}
				return r
			}, p.Text))
		}
	}
	return b.String()
}

// foldersOwn reports names that a program lists of a folder which it names itself.
func foldersOwn(w *shell.Word) bool {
	return w.Prefix() != "" && len(w.From()) == 0 && w.Listed() && !slices.ContainsFunc(w.Parts, func(p shell.Part) bool { return p.Unknown && !p.Listed })
}

// makes are the files in the project that Git ignores, that are not there, and that the line writes by its own words. What a build makes again is none.
// Where the line also moves or deletes something, what it makes may be all that is left of that: then there are none.
func (c *checker) makes() (list []string) {
	takes := func(k call) bool { return k.kinds&(rule.Move|rule.Rename|rule.Delete|rule.DeleteTree) != 0 }
	if c.in.Exists == nil || slices.ContainsFunc(c.calls, takes) {
		return nil
	}
	for i := range c.calls {
		k := &c.calls[i]
		if k.away() || k.kinds&(rule.Write|rule.Append) == 0 {
			continue
		}
		for j := range k.effects {
			e := &k.effects[j]
			if e.kind&(rule.Write|rule.Append) == 0 || e.glob || !e.done { // what no rule looked at is not looked up
				continue
			}
			if len(list) == maxTouched || !c.spend(1) {
				return list
			}
			t := c.locate(k, e)
			if t.Pattern == "" && t.Class&rule.Inside != 0 && t.Class&rule.Unknown == 0 && !c.in.Exists(t.Path) && c.irreplaceable(t) && !contains(list, t.Path) {
				list = append(list, t.Path)
			}
		}
	}
	return list
}

// destroys are the effects after which content is nowhere any more.
const destroys = rule.Write | rule.Delete | rule.DeleteTree

// irreplaceable reports what Git ignores and no build makes again.
func (c *checker) irreplaceable(t *Target) bool {
	c.ignored(t)
	return t.Ignored && t.Names&rule.Build == 0
}

// takesIrreplaceable reports a call that destroys such a file.
func (c *checker) takesIrreplaceable(k *call) bool {
	if k.loses == 0 {
		k.loses = no
		for i := range k.effects {
			e := &k.effects[i]
			if e.kind&destroys == 0 && (e.kind&rule.WriteTree == 0 || k.prog == nil || !k.prog.Network) || !c.spend(1) {
				continue
			}
			if t := *c.locate(k, e); c.irreplaceable(&t) || c.listing(k, e, &t) || e.kind&(rule.Delete|rule.DeleteTree) != 0 && c.open(k, e, &t) && c.foundData(k, &t) {
				k.loses = yes
				break
			}
		}
	}
	return k.loses == yes
}

// withheld are the targets of a hit that are such files: on the line something would be said of them.
func (c *checker) withheld(h *Hit) (list []Target) {
	if h.Action < Checkpoint || h.Away || h.Rule.When.Effect&destroys == 0 && !c.bringsOver(h) {
		return nil
	}
	for i := range h.Targets {
		if t := h.Targets[i]; c.irreplaceable(&t) || t.Found() && (t.Sure() || t.own) || h.Rule.When.Effect&(rule.Delete|rule.DeleteTree) != 0 && c.foundData(&c.calls[h.index], &t) {
			list = append(list, t)
		}
	}
	return list
}

// data are those of such files and folders that stand there and hold data or credentials by their names, and that a file which runs deletes: there is
// something to lose, and what brings it back is worth a line. Of data that it writes over only what the line names counts: programs make their own
// data anew all day. So with what a program is told to replace, and with a folder that files from another machine come into.
func (c *checker) data(h *Hit, list []Target, line string) []Target {
	writes := h.Rule.When.Effect&(rule.Delete|rule.DeleteTree) == 0
	told, fetched := writes && c.toldToRenew(h), c.bringsOver(h)
	return slices.DeleteFunc(slices.Clone(list), func(t Target) bool {
		if (!writes || fetched) && (t.Pattern != "" || t.Found()) && c.foundData(&c.calls[h.index], &t) {
			return false
		}
		name, folder := strings.ToLower(path.Base(t.Path)), strings.ToLower(path.Base(path.Dir(t.Path)))
		holds := c.set.picks("kinds-of-data", name) || c.set.picks("folders-of-data", name) || writes && c.set.picks("folders-of-data", folder)
		holds = t.Names&rule.Secret != 0 || holds && (!writes || told || strings.Contains(line, path.Base(t.Path)))
		return !holds || t.Class&rule.Unknown != 0 || t.Pattern != "" || t.Found() && !c.allIn(&t) || c.in.Exists == nil || !c.spend(1) || !c.in.Exists(t.Path)
	})
}

// bringsOver reports a hit by a program that brings files from another machine over those which are there.
func (c *checker) bringsOver(h *Hit) bool {
	k := &c.calls[h.index]
	return h.Rule.Operation == "overwrite" && h.Rule.When.Effect == 0 && k.prog != nil && k.prog.Network
}

// toldToRenew reports a hit behind a program that a line, or a recipe, gives an option by which it replaces what is there: scripts/report.py --force.
func (c *checker) toldToRenew(h *Hit) bool {
	via := c.calls[h.index].cmd.Via
	return c.spend(1+len(c.calls)/costCalls) && slices.ContainsFunc(c.calls, func(p call) bool {
		n := len(p.cmd.Via)
		return p.cmd.Code != nil && n < len(via) && (n == 0 || via[n-1].Span == p.cmd.Via[n-1].Span) &&
			slices.ContainsFunc(p.cmd.Args, func(w shell.Word) bool { return c.set.In("options-renewing", w.Text) })
	})
}

// allIn reports that all in the folder goes: find data -mindepth 1 -delete.
func (c *checker) allIn(t *Target) bool { return t.Sure() && t.Path != "" && t.Picks(t.Path+"/x") }

// uncopied is the verdict on what the files of the line would be asked about if no copy could be made of what they take; nil where there is
// nothing. A person's exceptions count, but for those that the question would use up.
func (c *checker) uncopied() *Verdict {
	list := c.held
	for i := 0; i < len(list); {
		if e := c.set.exception(c.in, &list[i]); e != nil && !e.Once {
			list = append(list[:i], list[i+1:]...)
			continue
		}
		i++
	}
	if len(list) == 0 {
		return nil
	}
	return &Verdict{Action: Checkpoint, Hits: list, Lost: c.lost(list[0].Rule)}
}
