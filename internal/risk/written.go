package risk

import (
	"slices"

	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/work"
)

// Written lists the files, absolute, that a call may change or take away, as far as its words name them: a tool's arguments
// and patches, and on a command line what its commands are given. No verdict rests on it. It takes a quarter of what judging
// the call may, and is asked for Tool, Command, Args or Values, Dir and Home alone.
func (s *Set) Written(in *Input) (paths []string) {
	c := checker{set: s, named: predicates[:], in: in}
	if s.RunsCommand(in.Tool) {
		c.res = shell.Parse(in.Command, shell.Options{Dir: in.Dir, Home: in.Home, Tables: s.Shells, Limits: shell.Limits{Work: work.Line / 4}})
		c.calls = make([]call, len(c.res.Commands))
		for i := range c.res.Commands {
			c.calls[i].read(&c, i)
		}
	} else if !c.readTools() {
		return nil
	}
	for i := range c.calls {
		k := &c.calls[i]
		for j := range k.effects {
			e := &k.effects[j]
			if e.kind&^harmlessKinds == 0 || !e.known || e.glob {
				continue
			}
			if p, ok := c.absolute(k, e.text); ok && !slices.Contains(paths, p) {
				paths = append(paths, p)
			}
		}
	}
	return paths
}

// readTools takes paths and texts out of a tool's arguments by every row that is about it.
func (c *checker) readTools() bool {
	if !c.readArgs() {
		return false
	}
	c.toolCall()
	for set := c.set; set != nil; set = set.More {
		for i := range set.Tools {
			if t := &set.Tools[i]; !set.Project && c.calledAs(t.Names) && !c.calledAs(t.Except) {
				c.calls[0].readTool(t, c.args, c.in.Home)
			}
		}
	}
	return true
}
