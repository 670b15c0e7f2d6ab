package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Which options take a value is known for those that tables name (global and values of a
// program). One that no table names, in front of a subcommand, may hide it: in
// "kubectl --proxy http://x delete ns a" the first operand is a value. Both readings are
// judged then. The second can only add to the first: a doubt never lowers an action.

// shiftable is how many operands may stand before such an option: subcommands have three
// words at most ("compute instances delete").
const shiftable = 2

// shifts notes a long option without a value of its own in front of a word that could
// be one.
func (k *call) shifts(i int) bool {
	args := k.cmd.Args
	return len(k.operands) <= shiftable && k.dashdash < 0 && i+1 < len(args) && args[i+1].Kind == shell.Literal && args[i+1].Text != "" && args[i+1].Text[0] != '-'
}

// judgeShifted tries the rules about subcommands on the second reading of a call.
func (c *checker) judgeShifted(k *call) {
	if k.mayHide == "" || k.prog != nil && k.prog.Plain {
		return
	}
	second := *k
	second.options, second.operands, second.dashdash = nil, nil, -1
	second.mayHide, second.reread = "", true
	second.known = func(name string) bool { return c.knownOption(k, name) }
	second.split(c.set)
	if second.mayHide == "" {
		return
	}
	for set := c.set; set != nil; set = set.More {
		if set.Project {
			continue
		}
		for _, i := range c.about(set, k) {
			r := set.Rules[i].Get()
			if len(r.When.Sub) == 0 || slices.ContainsFunc(c.hits, func(h Hit) bool { return h.Rule == r && h.Span == k.cmd.Span }) {
				continue
			}
			before := len(c.hits)
			if c.try(r, &second); len(c.hits) > before && c.hits[before].Detail == "" {
				c.hits[before].Detail = "if " + second.mayHide + " takes a value"
			}
		}
	}
}

// knownOption reports an option that a table or a rule of the program names, or that
// takes no value wherever it is understood.
func (c *checker) knownOption(k *call, name string) bool {
	if strings.HasPrefix(name, "--no-") || c.set.In("flags-without-value", "--"+strings.TrimLeft(name, "-")) {
		return true
	}
	if p := k.prog; p != nil && (p.Long.Has(name) || p.Harmless.Has(name) || p.Global.Has(name)) {
		return true
	}
	is := func(alt string) bool {
		alt, _, _ = strings.Cut(alt, "=")
		return alt == name
	}
	names := func(alternatives rule.Texts) bool { return alternatives.Meets(is) }
	for set := c.set; set != nil; set = set.More {
		if set.Project {
			continue
		}
		for _, i := range c.about(set, k) {
			if w := &set.Rules[i].Get().When; slices.ContainsFunc(w.Flags, names) || w.Without.Meets(is) {
				return true
			}
		}
	}
	return false
}
