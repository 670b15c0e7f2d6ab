package undo

import "slices"

// hold is how firmly something stays.
type hold int

const (
	firmly   hold = iota // nothing takes it along
	byForce              // --force does
	byWord               // the word of a person does, too
	byMoving             // nothing, until what is there has been moved away
)

// Became is what became of a span.
type Became struct {
	Took bool // files of it are as they were before it
	Kept bool // something of it stays that is somebody else's as well, and that --force takes back
}

func (l *planner) keep(path, why string, how hold) {
	turn := 0
	if l.span != nil {
		turn = l.span.Turn
	}
	l.became.Kept = l.became.Kept || how == byForce
	if !slices.ContainsFunc(l.p.Kept, func(k Kept) bool { return k.Path == path }) {
		l.p.Kept = append(l.p.Kept, Kept{Path: path, Why: why, Unsure: how == byWord, Forced: how == byForce, InWay: how == byMoving, Turn: turn})
	}
}

// Stuck reports a span that is not taken back as a whole while others are: it can be asked for once more by itself. Where that is so of all of
// them, it is one of which nothing is taken back.
func (p *Plan) Stuck(span int) bool {
	b := p.Spans[span]
	all := !slices.ContainsFunc(p.Spans, func(b Became) bool { return !b.Kept })
	none := !slices.ContainsFunc(p.Spans, func(b Became) bool { return b.Took })
	return b.Kept && (!all || !b.Took && !none)
}
