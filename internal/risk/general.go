package risk

import (
	"slices"
	"strings"
)

// namedFirst takes the rules away that judge a tool by the verbs which all share, where a rule that names the program has said as much about the
// same call: one thing is one question, and needs one exception.
func (c *checker) namedFirst() {
	if len(c.hits) < 2 {
		return
	}
	c.hits = slices.DeleteFunc(c.hits, func(general Hit) bool {
		w := &general.Rule.When
		if general.Rule.Programs != "" || len(w.Is) != 1 || !strings.HasPrefix(w.Is[0], "told-to-") {
			return false
		}
		return slices.ContainsFunc(c.hits, func(h Hit) bool {
			return h.index == general.index && h.Rule.Programs != "" && (h.Rule.When.Sub != "" || h.Rule.When.Words != "") && h.Action >= general.Action
		})
	})
}
