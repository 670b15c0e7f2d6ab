package risk

import "time"

// What a project's rules may cost in one judgement. Their conditions are
// bounded when they are read (package rule), so one attempt is short; the time
// is looked at between attempts.
const (
	projectTime = 100 * time.Millisecond
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
		c.until = time.Now().Add(projectTime)
		switch {
		case c.res != nil:
			for i := range c.calls {
				c.judgeBy(set, &c.calls[i])
			}
		case c.calls != nil:
			c.toolBy(set)
		}
		if c.late() {
			c.doubts = append(c.doubts, "the project's own rules took too long to try")
		}
	}
}

// late reports that the project's rules had their share of time or hits.
func (c *checker) late() bool {
	return !c.until.IsZero() && (len(c.hits)-c.own >= projectHits || time.Now().After(c.until))
}
