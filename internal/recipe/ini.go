package recipe

import "strings"

// iniNode reads the sections of a file as tox has it: members of a section, whose values go on in lines that are indented.
func iniNode(s string) *node {
	root := &node{line: 1}
	var section, value *node
	for at, l := range strings.Split(s, "\n") {
		body := strings.TrimSpace(l)
		switch {
		case body == "" || body[0] == '#' || body[0] == ';' || len(root.keys) >= maxTasks:
		case l[0] == '[':
			section, value = &node{line: at + 1}, nil
			root.keys, root.list = append(root.keys, strings.Trim(body, "[] ")), append(root.list, section)
		case section == nil:
		case l[0] == ' ' || l[0] == '\t':
			if value != nil && len(value.list) < maxSteps {
				value.list = append(value.list, &node{text: body, line: at + 1})
			}
		default:
			key, rest, ok := strings.Cut(body, "=")
			if !ok {
				continue
			}
			value = &node{line: at + 1}
			if rest = strings.TrimSpace(rest); rest != "" {
				value.list = append(value.list, &node{text: rest, line: at + 1})
			}
			section.keys, section.list = append(section.keys, strings.TrimSpace(key)), append(section.list, value)
		}
	}
	return root
}
