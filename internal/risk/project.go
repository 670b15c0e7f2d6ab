package risk

import "github.com/modu-ai/moai/internal/work"

// What a project's rules may cost in one judgement. Their conditions are
// bounded when they are read (package rule); work is counted in [work.Project].
const (
	projectText = 64 << 10 // bytes of a line on which they are still tried
	projectHits = 100
)

// project tries the project's own rules on what was judged already. They only
// add hits, so they tighten and cannot take anything back. used is the work that it took.
func (c *checker) project() (used int) {
	own := c.budget
	defer func() { c.budget, c.ofProject = own, false }()
	for set := c.set; set != nil; set = set.More {
		if !set.Project {
			continue
		}
		if c.res == nil && c.calls == nil && len(c.in.Args) > projectText || len(c.in.Command) > projectText {
			c.doubts = append(c.doubts, "too long for the project's own rules")
			return used
		}
		c.budget, c.ofProject = work.New(work.Project), true
		switch {
		case c.res != nil:
			for i := range c.calls {
				c.judgeBy(set, &c.calls[i])
			}
		case c.calls != nil:
			c.toolBy(set)
		}
		if c.late() {
			c.doubts = append(c.doubts, "the project's own rules take too much work to try")
		}
		used += c.budget.Used()
	}
	return used
}

// late reports that the project's rules had their share of work or hits.
func (c *checker) late() bool {
	return c.ofProject && (len(c.hits)-c.own >= projectHits || c.budget.Over())
}
