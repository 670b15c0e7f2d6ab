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
	// takesPlace is what a line does to a folder in whose place it may put something else.
	takesPlace = rule.Delete | rule.DeleteTree | rule.Move | rule.Rename
)

// naming is how a call gives a name to a file.
type naming uint8

const (
	absolute naming = iota // by a link to it
	relative               // by a link that is read where it stands
	moving                 // by moving it, which may be a link
	copying                // by a copy, which of a link is one
)

// link notes the links that a call makes, or moves. Where two names are possible the disk says which: a folder gets what is put into it.
func (c *checker) link(k *call) {
	if !c.set.In("names-again", k.name) || k.away() {
		return
	}
	var r linked
	how, named := absolute, false
	makes, told := c.set.In("makes-links", k.name), c.set.In("links-when-told", k.name)
	switch symbolic := k.givenOf(c.set.members("options-linking")); {
	case !makes && !told && len(c.links) > 0:
		how = moving
	case makes && symbolic:
		r.what, how = takesName, relative
	case makes || told && symbolic || told && k.givenOf(c.set.members("options-linking-hard")):
		r.what, r.below = takesName, takesName // the names alone go
	case told && (len(c.links) > 0 || c.in.Follow != nil) && k.givenOf(c.set.members("options-keeping-links")):
		how = copying
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
	if how == copying && !slices.ContainsFunc(from, func(i int) bool { // nearly always
		abs, ok := c.absolute(k, k.cmd.Args[i].Text)
		return ok && (slices.ContainsFunc(c.links, func(l linked) bool { return l.to == abs }) || c.in.Follow != nil && c.in.Follow(abs) != abs)
	}) {
		return
	}
	place, ok := c.absolute(k, to)
	if !ok {
		return
	}
	into := to == "." || strings.HasSuffix(to, "/") || len(from) > 1
	if !into && c.in.Exists != nil && c.in.Regular != nil && c.in.Exists(place) && !c.in.Regular(place) && !k.givenOf(c.set.members("options-naming-place")) {
		into = true
		named = c.takenBefore(k, place) // it has that name itself then, and else one in the folder
	}
	for _, i := range from {
		w := &k.cmd.Args[i]
		if !c.spend(costPlace) {
			continue
		}
		r.at = k.index
		if into {
			r.to = place + "/" + path.Base(w.Text)
			c.leads(k, w, r, how, false)
		}
		if !into || named {
			r.to = place
			c.leads(k, w, r, how, true)
		}
	}
}

// leads notes what a name leads to that a call gives to a file; alone says that it is the last word of the call.
func (c *checker) leads(k *call, w *shell.Word, r linked, how naming, alone bool) {
	if w.Kind != shell.Literal || w.Glob {
		if how < moving && !w.Glob && alone && !w.Fresh() {
			c.links = append(c.links, r)
		}
		return
	}
	known := true
	switch r.from, known = c.absolute(k, w.Text); {
	case how >= moving:
		i := slices.IndexFunc(c.links, func(l linked) bool { return l.to == r.from })
		if known = i >= 0; known {
			r.from, r.what, r.below = c.links[i].from, c.links[i].what, c.links[i].below
		} else if how == copying && c.in.Follow != nil { // one that is there already
			from := r.from
			r.from, r.what = c.in.Follow(from), takesName
			known = r.from != from
		}
	case how == relative && !strings.HasPrefix(w.Text, "/"):
		r.from, known = path.Dir(r.to)+"/"+w.Text, true // as the link will be read, wherever it was made
	}
	if known && r.from != r.to {
		c.links = append(c.links, r)
	}
}

// takenBefore reports that the line takes away what stands at a place, or moves it, and makes no folder there after that.
func (c *checker) takenBefore(k *call, place string) bool {
	if !c.spend(k.index / 4) {
		return false
	}
	for i := range slices.Backward(c.calls[:k.index]) {
		one := &c.calls[i]
		for j := range one.effects {
			e := &one.effects[j]
			if e.kind&takesPlace == 0 || !e.known && !e.glob {
				continue
			}
			if abs, ok := c.absolute(one, e.text); ok && (lies(place, abs) || e.glob && fits(abs, place)) {
				return true
			}
		}
		if c.isOneOf("takes-folders", one) {
			return true
		}
		if c.makesFolder(one) && slices.ContainsFunc(one.operands, func(at int) bool {
			abs, ok := c.absolute(one, one.cmd.Args[at].Text)
			return ok && lies(abs, place)
		}) {
			return false
		}
	}
	return false
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
