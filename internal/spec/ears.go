package spec

import "strings"

// EARS (easy approach to requirements syntax) sorts requirements into five kinds. A SPEC of the standard
// has a section for the first at least; the sections are written in the language of the project.

// Sections are the EARS sections that a document has, in its order: ubiquitous, event-driven,
// state-driven, optional, unwanted.
func (s *Spec) Sections() []string {
	var found []string
	for line := range strings.Lines(s.Body) {
		t := strings.TrimSpace(line)
		if !strings.HasPrefix(t, "#") {
			continue
		}
		if kind := earsKind(strings.ToLower(t)); kind != "" {
			found = append(found, kind)
		}
	}
	return found
}

// earsKind is the kind that a heading, in lower case, speaks of. "Ubiquitous" comes last, since its Korean word for "basic" stands in
// other headings too.
func earsKind(heading string) string {
	for _, k := range []struct{ kind, words string }{
		{"event-driven", "event-driven|event driven|이벤트"},
		{"state-driven", "state-driven|state driven|상태"},
		{"optional", "optional|선택"},
		{"unwanted", "unwanted|constraint|제약|비정상|금지"},
		{"ubiquitous", "ubiquitous|기본|보편"},
	} {
		for w := range strings.SplitSeq(k.words, "|") {
			if strings.Contains(heading, w) {
				return k.kind
			}
		}
	}
	return ""
}

// ears asks for one section at least: which of the five a SPEC needs depends on what it describes.
func (l *linter) ears(s *Spec) {
	if s.Body == "" || s.Status() == "draft" {
		return // a draft has not come to its requirements yet
	}
	if len(s.Sections()) == 0 {
		l.add(s, 1, "spec.ears", "warning", "no EARS section (ubiquitous, event-driven, state-driven, optional, unwanted)")
	}
}
