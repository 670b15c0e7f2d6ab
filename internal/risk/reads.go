package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/work"
)

// harmlessKinds are the effects that change no file.
const harmlessKinds = rule.Read | rule.Look | rule.Send

// Outline is what a command line says of where to look for what it changes.
type Outline struct {
	// OnlyReads says that it changes no file, moves no branch and stages nothing, as far as can be told from it: all of it was understood, it
	// runs nothing but programs that change none, and no output goes into a file.
	OnlyReads bool
	Folders   []string // other ones than that in which it runs, absolute: where its programs work, and where it writes
	Below     []string // such folders inside that in which it runs
	Objects   bool     // it has Git keep content that no file need hold
	Pushes    bool     // it sends commits to another repository
	Trees     bool     // it makes work trees
	Stays     bool     // something that it starts may go on when it is done
}

// maxFolders bounds the folders of an outline, of each kind.
const maxFolders = 8

// Outline reads a command line. No verdict rests on it. It takes a quarter of what judging the line may.
func (s *Set) Outline(line, dir, home string) (o Outline) {
	c := s.quickly(line, dir, home)
	o.OnlyReads = len(c.res.Incomplete) == 0
	add := func(folder string) {
		list := &o.Folders
		if in, below := c.under(folder, dir); below {
			if list = &o.Below; in == "" || in == "." {
				return
			}
		}
		if len(*list) < maxFolders && !slices.Contains(*list, folder) {
			*list = append(*list, folder)
		}
	}
	for i := range c.calls {
		k := &c.calls[i]
		o.Objects = o.Objects || k.isWith(s, "keeps-objects-by-words")
		o.Pushes = o.Pushes || k.isWith(s, "pushes-by-words")
		o.Trees = o.Trees || k.isWith(s, "makes-trees-by-words")
		o.Stays = o.Stays || k.cmd.Background
		o.OnlyReads = o.OnlyReads && !o.Objects && k.onlyReads(s) && !k.movesReferences(s)
		if k.away() {
			continue
		}
		if at, ok := c.absolute(k, k.folder()); ok {
			add(at)
		}
		for j := range k.effects {
			if e := &k.effects[j]; e.kind&writtenKinds != 0 {
				at := c.locate(k, e)
				thrown := at.Class&rule.Temp != 0 && strings.Count(at.Path, "/") < 3 // /tmp/x, which is everyday and no work tree
				if at.Pattern == "" && at.Class&(rule.Drop|rule.Device|rule.Unknown) == 0 && !thrown {
					add(path.Dir(at.Path))
				}
			}
		}
	}
	return o
}

// OnlyReads is that of the outline of a command line.
func (s *Set) OnlyReads(line, dir, home string) bool { return s.Outline(line, dir, home).OnlyReads }

// OnlyBrings reports a command line in which nothing changes files but Git and moai, where they bring content back that they hold: git checkout,
// git stash pop, moai undo. No verdict rests on it. It takes a quarter of what judging the line may.
func (s *Set) OnlyBrings(line, dir, home string) bool {
	c := s.quickly(line, dir, home)
	brings := len(c.res.Incomplete) == 0
	for i := range c.calls {
		k := &c.calls[i]
		held := k.isWith(s, "brings-held-by-words") && !slices.ContainsFunc(k.effects, func(e effect) bool { return e.redirect && e.kind&writtenKinds != 0 })
		brings = brings && (held || k.onlyReads(s) && !k.isWith(s, "stages-ignored-by-words"))
	}
	return brings
}

// TakesOther reports a command line in which Git may put into files what another commit than HEAD has, while HEAD stays: git checkout HEAD~1 -- a.go.
// What it brings by itself are files that its words need not name. No verdict rests on it.
func (s *Set) TakesOther(line, dir, home string) bool {
	c := s.quickly(line, dir, home)
	for i := range c.calls {
		if c.calls[i].isWith(s, "brings-other-by-words") {
			return true
		}
	}
	return false
}

// writtenKinds are the effects that make, change or take away a file.
const writtenKinds = rule.Write | rule.Append | rule.Delete | rule.DeleteTree | rule.Move | rule.Link | rule.WriteTree | rule.Rename | rule.NewName

// Edited lists the files that a command line writes or takes away by its own words, each once, and one without a path for a formatter
// and its like. What a build or a script does is not among them, and neither are devices. The guard's verdict does not rest on it; it takes a
// quarter of what judging the line may.
func (s *Set) Edited(line, dir, home string) (list []Target) {
	c := s.quickly(line, dir, home)
	for i := range c.calls {
		k := &c.calls[i]
		if k.reworks(s) && !slices.ContainsFunc(list, func(t Target) bool { return t.Path == "" }) {
			list = append(list, Target{})
		}
		for j := range k.effects {
			e := &k.effects[j]
			if e.kind&writtenKinds == 0 || k.cmd.Remote {
				continue
			}
			at := c.locate(k, e)
			if at.Class&(rule.Drop|rule.Device) != 0 || slices.ContainsFunc(list, func(t Target) bool { return t.Path == at.Path }) {
				continue
			}
			list = append(list, *at)
		}
	}
	return list
}

// reworks reports a program that changes files which its words need not name.
func (k *call) reworks(s *Set) bool {
	return k.isWith(s, "edits-by-words") && !k.given(onlyLooks)
}

// isWith is isOf for rows with options, too: each is there, and one with "!" in front is not.
func (k *call) isWith(s *Set, group string) bool {
	for row := range s.words(group) {
		program, rest, _ := strings.Cut(row, " ")
		if program != k.raw {
			continue
		}
		var sub []string
		fits := true
		for word := range strings.FieldsSeq(rest) {
			switch option, not := strings.CutPrefix(word, "!"); {
			case option[0] != '-':
				sub = append(sub, option)
			case k.given([]string{option}) == not:
				fits = false
			}
		}
		if fits && k.sub(strings.Join(sub, " "), nil) {
			return true
		}
	}
	return false
}

// onlyLooks are options with which what edits files only says what it would do.
var onlyLooks = []string{"--check", "--help", "--version"}

// Temporary reports a place for throw-away files.
func (s *Set) Temporary(path string) bool { return s.isTemp(path) }

// quickly is what a line would run and touch, found out for a quarter of what judging it may take.
func (s *Set) quickly(line, dir, home string) *checker {
	in := &Input{Command: line, Dir: dir, Home: home}
	res := shell.Parse(line, shell.Options{Dir: dir, Home: home, Tables: s.Shells, Limits: shell.Limits{Work: work.Line / 4}})
	c := &checker{set: s, named: predicates[:], in: in, res: res, calls: make([]call, len(res.Commands))}
	for i := range res.Commands {
		c.calls[i].read(c, i)
	}
	return c
}

func (k *call) onlyReads(s *Set) bool {
	for i := range k.effects {
		e := &k.effects[i]
		dropped := e.known && strings.HasPrefix(e.text, "/dev/") && s.In("devices-without-data", path.Base(e.text))
		if e.kind&^harmlessKinds != 0 && !dropped {
			return false
		}
	}
	if len(k.cmd.Args) == 0 { // a redirection or a variable alone
		return true
	}
	if s.In("changes-no-file", k.raw) {
		return true
	}
	return k.isOf(s, "changes-no-file-by-words")
}

// movesReferences reports a program that moves branches though it changes no file.
func (k *call) movesReferences(s *Set) bool {
	for row := range s.words("moves-references-by-words") {
		program, rest, _ := strings.Cut(row, " ")
		if program != k.raw {
			continue
		}
		sub, parts, operands := strings.Cut(rest, " *")
		words := 0
		if !k.sub(sub, &words) {
			continue
		}
		var wants []string
		if operands {
			wants = strings.Fields("*" + parts)
		}
		has := 0
		for n := words; n < len(k.operands) && has < len(wants); n++ {
			if strings.Contains(k.operand(n), strings.Trim(wants[has], "*")) {
				has++
			}
		}
		if has == len(wants) {
			return true
		}
	}
	return false
}

// isOf reports a program and subcommand of a group.
func (k *call) isOf(s *Set, group string) bool {
	for row := range s.words(group) {
		program, sub, _ := strings.Cut(row, " ")
		if program == k.raw && k.sub(sub, nil) {
			return true
		}
	}
	return false
}
