package risk

// isCall reports whether all named predicates about the call hold, and none of the others.
func (m *match) isCall() bool {
	for _, name := range m.rule.When.Is {
		if p := predicate(m.c.named, name); p == nil || p.call != nil && !p.call(m) {
			return false
		}
	}
	for _, name := range m.rule.When.Not {
		if p := predicate(m.c.named, name); p != nil && p.call != nil && p.call(m) {
			return false
		}
	}
	return true
}

// isEffect is isCall for the predicates about one effect.
func (m *match) isEffect(e *effect) bool {
	for _, name := range m.rule.When.Is {
		if p := predicate(m.c.named, name); p == nil || p.effect != nil && !p.effect(m, e) {
			return false
		}
	}
	for _, name := range m.rule.When.Not {
		if p := predicate(m.c.named, name); p != nil && p.effect != nil && p.effect(m, e) {
			return false
		}
	}
	return true
}

// manyFiles is from how many files on an edit counts as one of many.
const manyFiles = 10

func (m *match) anyOperand(is func(string) bool) bool {
	k := m.call
	for _, i := range k.operands[min(m.skip, len(k.operands)):] {
		if w := &k.cmd.Args[i]; is(w.Text) {
			return true
		}
	}
	return false
}

// anyWord reports whether an argument from number from on is exactly text.
func (m *match) anyWord(text string, from int) bool {
	for i := from; i < len(m.call.cmd.Args); i++ {
		if m.call.cmd.Args[i].Text == text {
			return true
		}
	}
	return false
}
