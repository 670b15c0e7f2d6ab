package risk

import (
	"path"
	"slices"
	"strings"
)

// Outputs that a configuration of Terraform marks as sensitive are hidden in a list, and printed where one is asked for by its name, or by -raw
// and -json.

// maxConfigurations bounds the files of a configuration that are read.
const maxConfigurations = 24

// sensitiveOutputs lists the outputs that are marked so in the folder where a call works.
func (c *checker) sensitiveOutputs(k *call) (names []string) {
	dir, ok := c.absolute(k, k.folder())
	for i := range k.options {
		if o := &k.options[i]; o.has && c.set.In("options-changing-folder", o.name) {
			dir, ok = c.absolute(k, o.value)
		}
	}
	if !ok || k.away() || c.in.Names == nil || c.in.Settings == nil || !c.spend(costSettings) {
		return nil
	}
	files, _ := c.in.Names(dir + "/*.tf")
	for _, file := range files[:min(len(files), maxConfigurations)] {
		text, _ := c.in.Settings(path.Join(dir, file))
		if len(text) > maxLooked || !c.spend(costSettings+len(text)/textBytes) {
			break
		}
		output := ""
		for line := range strings.Lines(text) {
			words := strings.Fields(line)
			switch {
			case len(words) > 1 && words[0] == "output":
				output = strings.Trim(words[1], `"{`)
			case output != "" && len(words) == 3 && words[0] == "sensitive" && words[2] == "true":
				names = append(names, output)
			case strings.HasPrefix(line, "}"):
				output = ""
			}
		}
	}
	return names
}

// printsSensitive reports a call that prints such an output: the one that it names, or all.
func (m *match) printsSensitive() bool {
	k := m.call
	if len(k.operands) > m.skip {
		return slices.Contains(m.c.sensitiveOutputs(k), k.operand(m.skip))
	}
	return k.given([]string{"-json"}) && len(m.c.sensitiveOutputs(k)) > 0
}

// picksSensitive reports a filter of what prints all outputs that passes on such an output, or each.
func (m *match) picksSensitive() bool {
	c, k := m.c, m.call
	if len(k.operands) == 0 {
		return false
	}
	filter := k.operand(0)
	return c.upstream(k, make([]bool, len(c.calls)), func(p *call) bool {
		return p.sub("output", nil) && slices.ContainsFunc(c.sensitiveOutputs(p), func(name string) bool { return filter == "." || strings.Contains(filter, name) })
	})
}
