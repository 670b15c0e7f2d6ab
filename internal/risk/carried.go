package risk

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// What a line has given another name is what is lost by that name: "mv notes.txt old; rm old". So what a call does to the new name it
// does to the old one, which is the one that is there when the line is judged.

// renamed is content that goes by another name from some call on.
type renamed struct {
	from effect // absolute, where it is known
	dir  string // where the call that renames it runs
	to   string // absolute
}

// loses are the effects that take content away, or take it along.
const loses = rule.Write | rule.Append | rule.Delete | rule.DeleteTree | rule.Move | rule.Rename

// gives are those with which content may get another name: a hard link is one beside the first.
const gives = rule.Move | rule.Rename | rule.Link

// carry adds what a call does to files by names that the line has given them, and notes the names that it gives itself.
func (c *checker) carry(k *call) {
	if k.cmd.Remote || len(c.renamed) == 0 && (k.kinds&rule.NewName == 0 || k.index+1 == len(c.calls)) {
		return
	}
	for i := range k.effects[:len(k.effects)] {
		e := k.effects[i]
		if e.kind&loses == 0 || !e.known && !e.glob {
			continue
		}
		abs, ok := c.absolute(k, e.text)
		if !ok || !c.spend(1+len(c.renamed)/4) {
			continue
		}
		for j := range c.renamed {
			if c.renamed[j].from.kind&rule.Link != 0 && e.kind&(rule.Write|rule.Append) == 0 {
				continue // of a hard link the other name stays
			}
			c.lose(k, &c.renamed[j], &e, abs)
		}
	}
	names := c.newNames(k)
	for i := range k.effects {
		from := &k.effects[i]
		if from.kind&gives == 0 {
			continue
		}
		for _, list := range [...][]string{names[from.word], names[nil]} {
			if len(list) > 0 && c.spend(len(list)) {
				c.rename(k, from, list)
			}
		}
	}
}

// newNames are the names that a call gives, absolute, by the word of the file that has it from then on: gzip makes each name of one
// operand. Those for whichever file stand under nil.
func (c *checker) newNames(k *call) map[*shell.Word][]string {
	if k.kinds&rule.NewName == 0 {
		return nil
	}
	names := map[*shell.Word][]string{}
	for i := range k.effects {
		if from := &k.effects[i]; from.kind&gives != 0 {
			names[from.word] = nil
		}
	}
	for i := range k.effects {
		to := &k.effects[i]
		if to.kind&rule.NewName == 0 || !to.known {
			continue
		}
		if abs, ok := c.absolute(k, to.text); ok {
			of := to.word
			if _, one := names[of]; !one {
				of = nil
			}
			names[of] = append(names[of], abs)
		}
	}
	return names
}

// rename notes the names that a file or folder may have behind a call: one that is given, or its own in the folder that is given.
func (c *checker) rename(k *call, from *effect, names []string) {
	r := renamed{from: *from, dir: k.cmd.Dir.Text}
	r.from.done = false
	if from.known || from.glob {
		abs, ok := c.absolute(k, from.text)
		if !ok || !from.glob && c.in.Exists != nil && !c.in.Exists(abs) {
			return // made by the line
		}
		r.from.text = abs
	}
	for _, r.to = range names {
		c.renamed = append(c.renamed, r)
		if from.known {
			r.to = path.Join(r.to, path.Base(r.from.text))
			c.renamed = append(c.renamed, r)
		}
	}
}

// lose adds to a call what one of its effects does to what has been renamed, if anything. abs is where that effect is.
func (c *checker) lose(k *call, r *renamed, e *effect, abs string) {
	if e.glob && !c.spend(len(abs)*len(r.to)/globBytes/8) || len(abs)+len(r.to) > ordinary && !c.spend((len(abs)+len(r.to))/wordBytes) {
		return
	}
	one := r.from
	one.kind, one.redirect = e.kind&loses, e.redirect
	switch {
	case !one.known && !one.glob && r.dir != k.cmd.Dir.Text:
		return // a name that is not known, from another folder
	case lies(r.to, abs), e.glob && fits(abs, r.to):
	case one.known && !one.glob && lies(abs, r.to): // in a folder that was moved
		one.text, one.glob = one.text+strings.TrimPrefix(abs, r.to), e.glob
	default:
		return
	}
	if !c.spend(1 + len(k.effects)/costCalls + len(one.text)/wordBytes) {
		return
	}
	for i := range k.effects {
		if other := &k.effects[i]; other.kind&one.kind == one.kind && other.text == one.text {
			return
		}
	}
	k.kinds |= one.kind
	k.effects = append(k.effects, one)
}
