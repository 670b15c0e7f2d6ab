package cli

import (
	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/session"
)

// node is a session with those that come from it.
type node struct {
	sessionJSON
	Children []*node `json:"children,omitempty"`
}

func newSessionTree(e *env) *cobra.Command {
	var all, everywhere bool
	c := &cobra.Command{
		Use:   "tree",
		Short: "Show which session comes from which, and their sub-agents",
		Long:  "A session stands below the one from which it was forked, that it goes on with,\nor that started it. Those that have ended are shown where one that comes from\nthem goes on.",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			roots := e.tree(e.sessions(true, everywhere), all)
			if e.json {
				if roots == nil {
					roots = []*node{}
				}
				return e.printJSON(roots)
			}
			if len(roots) == 0 {
				e.noSessions(all, everywhere)
			}
			for _, n := range roots {
				e.branch("", n)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&all, "all", false, "also those that have ended")
	c.Flags().BoolVar(&everywhere, "everywhere", false, "those of all projects")
	return c
}

// tree hangs each session below its parent. Ids come from clients: a ring of parents, which none makes, is cut.
func (e *env) tree(list []*session.Session, all bool) (roots []*node) {
	current := e.currentID()
	nodes := map[string]*node{}
	for _, s := range list {
		nodes[s.ID] = &node{sessionJSON: e.sessionOf(s, current)}
	}
	parent := func(s *session.Session) *node {
		if s.Link == nil {
			return nil
		}
		return nodes[s.Link.Parent]
	}
	for _, s := range list {
		up, seen := parent(s), map[string]bool{s.ID: true}
		for n := up; n != nil; n = parent(n.Session) {
			if seen[n.ID] {
				up = nil
				break
			}
			seen[n.ID] = true
		}
		if up == nil {
			roots = append(roots, nodes[s.ID])
		} else {
			up.Children = append(up.Children, nodes[s.ID])
		}
	}
	if !all {
		roots = goingOn(roots)
	}
	return roots
}

// goingOn leaves out what has ended with all that comes from it.
func goingOn(list []*node) (left []*node) {
	for _, n := range list {
		n.Children = goingOn(n.Children)
		if len(n.Children) > 0 || n.Standing != session.Over {
			left = append(left, n)
		}
	}
	return left
}

func (e *env) branch(indent string, n *node) {
	head := indent
	if n.Link != nil && indent != "" {
		head += n.Link.Kind + " "
	}
	e.sessionLine(head, &n.sessionJSON, widthsOf(n.Session))
	for i := range n.Agents {
		e.row("%s    sub-agent %s", indent, agentLine(&n.Agents[i]))
	}
	for _, child := range n.Children {
		e.branch(indent+"  ", child)
	}
}
