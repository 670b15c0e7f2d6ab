package risk

// What a project's rules may cost in one judgement. Their conditions are
// bounded when they are read (package rule); work is counted in [projectWork].
const (
	projectText = 64 << 10 // bytes of a line on which they are still tried
	projectHits = 100
)

// project tries the project's own rules on what was judged already. They only
// add hits, so they tighten and cannot take anything back.
func (c *checker) project() {
	for set := c.set; set != nil; set = set.More {
		if !set.Project {
			continue
		}
		if c.res == nil && c.calls == nil && len(c.in.Args) > projectText || len(c.in.Command) > projectText {
			c.doubts = append(c.doubts, "too long for the project's own rules")
			return
		}
		c.spend(0)
		c.budget.limit, c.budget.over, c.ofProject = c.budget.used+projectWork, false, true
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
	}
}

// late reports that the project's rules had their share of work or hits.
func (c *checker) late() bool {
	return c.ofProject && (len(c.hits)-c.own >= projectHits || c.budget.over)
}
