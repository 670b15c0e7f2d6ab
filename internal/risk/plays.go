package risk

import "strings"

// playsHere reports playbooks that work on this machine alone, as each of them says: every machine that they name is this one, and
// they bring in nothing that is not read.
func (m *match) playsHere() bool {
	c, k := m.c, m.call
	if c.in.Settings == nil || len(k.operands) == 0 || k.away() {
		return false
	}
	for _, i := range k.operands {
		file, known := c.absolute(k, k.cmd.Args[i].Text)
		if !known || !c.spend(costSettings) || c.writtenBefore(k, file) {
			return false
		}
		text, there := c.in.Settings(file)
		if !there || len(text) > maxLooked || !c.spend(len(text)/textBytes) || !c.set.playHere(text) {
			return false
		}
	}
	return true
}

// playHere reads the text of a playbook, a key a line. What a role or a file of tasks delegates to others, which is not read, is done
// here all the same where the play says how it connects.
func (s *Set) playHere(text string) bool {
	named, brings, connects := false, false, false
	for line := range strings.Lines(text) {
		connects = connects || s.In("connects-play-here", strings.TrimSpace(line))
		name, value, ok := strings.Cut(strings.TrimLeft(line, " \t-"), ":")
		switch name = name[strings.LastIndexByte(name, '.')+1:]; { // ansible.builtin.import_tasks
		case !ok:
		case s.playKeyIn(value), strings.ContainsAny(name, `{"'`) && s.playKeyIn(name+":"):
			return false // {hosts: web}: a form that is not read
		case s.In("keys-of-plays-elsewhere", name):
			return false
		case s.In("keys-of-plays-brought", name):
			brings = true
		case s.In("keys-of-plays-machines", name):
			value, _, _ = strings.Cut(value, " #")
			if !s.isLocal(strings.Trim(strings.TrimSpace(value), `"'`)) {
				return false
			}
			named = true
		}
	}
	return named && (connects || !brings)
}

// playKeyIn reports a key of a playbook by which other machines may be named, anywhere in a text.
func (s *Set) playKeyIn(text string) bool {
	text = strings.NewReplacer(`"`, "", "'", "").Replace(text)
	for _, group := range [...]string{"keys-of-plays-elsewhere", "keys-of-plays-machines"} {
		for name := range s.words(group) {
			if strings.Contains(text, name+":") {
				return true
			}
		}
	}
	return false
}
