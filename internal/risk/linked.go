package risk

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// A line may make a link and use it behind: "ln -s ~ x; rm -r x/*".

// linked is a name that a call gives to what stays at another path.
type linked struct {
	at       int       // the call
	from, to string    // from is "" where the line does not tell it
	what     rule.Kind // what does not get there by the name itself, or
	below    rule.Kind // by one below it
}

// maxLinked bounds the names of one line, maxLed how many of them lead to each other.
const (
	maxLinked = 64
	maxLed    = 8
	takesName = rule.Delete | rule.DeleteTree | rule.Move | rule.Link
)

// link notes the links that a call makes, or moves. Where two names are possible the disk says which: a folder gets what is put into it.
func (c *checker) link(k *call) {
	if !c.set.In("names-again", k.name) || k.away() {
		return
	}
	var r linked
	makes, told, relative := c.set.In("makes-links", k.name), c.set.In("links-when-told", k.name), false
	moves := !makes && !told
	switch {
	case moves && len(c.links) > 0:
	case makes && k.givenOf(c.set.members("options-linking")):
		r.what, relative = takesName, true
	case makes || told && k.givenOf(c.set.members("options-linking")) || told && k.givenOf(c.set.members("options-linking-hard")):
		r.what, r.below = takesName, takesName // the names alone go
	default:
		return
	}
	from, dir, to := k.destination()
	if dir == nil && len(from) == 1 { // ln x/y: here, by its own name
		dir, to = &shell.Word{Text: "."}, "."
	}
	if dir == nil || dir.Kind != shell.Literal || len(c.links)+len(from) > maxLinked {
		return
	}
	place, ok := c.absolute(k, to)
	into := to == "." || strings.HasSuffix(to, "/") || len(from) > 1 ||
		ok && c.in.Exists != nil && c.in.Regular != nil && c.in.Exists(place) && !c.in.Regular(place) && !k.givenOf(c.set.members("options-naming-place"))
	for _, i := range from {
		w := &k.cmd.Args[i]
		if !ok || !c.spend(costPlace) {
			continue
		}
		r.at, r.to = k.index, place
		if into {
			r.to = place + "/" + path.Base(w.Text)
		}
		known := true
		if w.Kind != shell.Literal || w.Glob {
			if r.from = ""; !moves && !w.Glob && !into && !w.Fresh() {
				c.links = append(c.links, r)
			}
			continue
		}
		switch r.from, known = c.absolute(k, w.Text); {
		case moves:
			i := slices.IndexFunc(c.links, func(l linked) bool { return l.to == r.from })
			if known = i >= 0; known {
				r.from, r.what, r.below = c.links[i].from, c.links[i].what, c.links[i].below
			}
		case relative && !strings.HasPrefix(w.Text, "/"):
			r.from, known = path.Dir(r.to)+"/"+w.Text, true // as the link will be read, wherever it was made
		}
		if known && r.from != r.to {
			c.links = append(c.links, r)
		}
	}
}

// throughLinks follows the links that the line itself makes before k: after
// "ln -s ~ x", x/* is all of the home. What is deleted or moved by the link's own name is
// the link, as for those that are there already.
func (c *checker) throughLinks(k *call, abs string, e *effect) string {
	for range maxLed {
		next := c.throughOne(k, abs, e)
		if next == abs {
			break
		}
		abs = next
	}
	return abs
}

func (c *checker) throughOne(k *call, abs string, e *effect) string {
	for i := range c.links {
		r := &c.links[i]
		if r.at >= k.index || !c.spend(costPlace/2) {
			break
		}
		rest, ok := c.under(abs, r.to)
		itself := rest == "" && !strings.HasSuffix(e.text, "/") && !strings.HasSuffix(e.text, "/.") && !e.glob
		if ok && r.from != "" && e.kind&r.below == 0 && (!itself || e.kind&r.what == 0) {
			return c.cleaned(r.from + "/" + rest)
		}
	}
	return abs
}
