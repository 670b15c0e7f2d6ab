package risk

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/work"
)

// harmlessKinds are the effects that change no file.
const harmlessKinds = rule.Read | rule.Look | rule.Send

// OnlyReads reports a command line that changes no file, as far as can be told from it: all of it was understood, it runs
// nothing but programs that change none, and no output goes into a file. No verdict rests on it. It takes a quarter of what
// judging the line may.
func (s *Set) OnlyReads(line, dir, home string) bool {
	in := &Input{Command: line, Dir: dir, Home: home}
	res := shell.Parse(line, shell.Options{Dir: dir, Home: home, Tables: s.Shells, Limits: shell.Limits{Work: work.Line / 4}})
	if len(res.Incomplete) > 0 {
		return false
	}
	c := checker{set: s, named: predicates[:], in: in, res: res, calls: make([]call, len(res.Commands))}
	for i := range res.Commands {
		c.calls[i].read(&c, i)
	}
	for i := range c.calls {
		if !c.calls[i].onlyReads(s) {
			return false
		}
	}
	return true
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
	words := s.members("changes-no-file-by-words")
	for _, row := range words {
		program, sub, _ := strings.Cut(row, " ")
		if program == k.raw && k.sub(sub, nil) {
			return true
		}
	}
	return false
}
