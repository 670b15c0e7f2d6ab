package recipe

import "strings"

// borrows reports a value that stands for another task's: {[section]key}, or in TOML a table that says of what it is a copy.
func (n *node) borrows(deep int) bool {
	if n.member("replace") != nil && n.member("of") != nil || strings.Contains(n.text, "{[") {
		return true
	}
	for _, one := range n.list {
		if deep < maxDeep && one.borrows(deep+1) {
			return true
		}
	}
	return false
}

// listed reads the names that members of the document list: words, with commas or blanks between them.
func (b *Book) listed(root *node, paths []string) {
	for _, path := range paths {
		n := root
		for key := range strings.SplitSeq(path, ".") {
			n = n.member(key)
		}
		if n == nil {
			continue
		}
		for _, one := range append([]*node{{text: n.text}}, n.list...) {
			b.Unlisted = b.Unlisted || len(one.keys) > 0
			b.Listed = append(b.Listed, commaWords(one.text)...)
		}
	}
}

// commaWords cuts a list at its commas and blanks, but for those within braces.
func commaWords(s string) []string {
	deep := 0
	return strings.FieldsFunc(s, func(r rune) bool {
		switch r {
		case '{':
			deep++
		case '}':
			deep--
		}
		return deep <= 0 && strings.ContainsRune(", \t", r)
	})
}
