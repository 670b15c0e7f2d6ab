package shell

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Libraries that speak with servers have a call for each method, or one call that is told the method. What deletes there is judged as
// curl is: requests.delete(url), fetch(url, {method: "DELETE"}).

// deletes emits the request that a call with an address makes, where its method is DELETE.
func (p *interp) deletes(c *ctx, does rule.Deed, args []arg) {
	var address *Word
	method := does == rule.DoDelete
	for i := range args {
		list := args[i].list
		if !args[i].many {
			list = []Word{args[i].word}
		}
		for k := range list {
			if address == nil && isAddress(list[k].Prefix()) {
				address = &list[k]
			}
			method = method || list[k].Kind == Literal && strings.EqualFold(list[k].Text, "delete")
		}
	}
	if method && address != nil {
		p.operate(c, []string{"curl", "-X", "DELETE"}, []Word{*address})
	}
}

// isAddress tells the address of a server by how it begins.
func isAddress(text string) bool {
	return strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://")
}
