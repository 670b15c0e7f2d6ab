package lang

import (
	"slices"
	"strings"
)

// configured is the language that .moai/config names; 0 when it names none.
func (d *detection) configured() (lang int16, file string) {
	if !d.root.exists(".moai/") {
		return 0, ""
	}
	for _, file := range d.t.Projects.Files {
		data := d.root.data(file)
		if data == nil {
			continue
		}
		for _, key := range d.t.Projects.Fields {
			var value string
			if strings.HasSuffix(file, ".json") {
				value = jsonField(data, key)
			} else {
				value = yamlField(data, key)
			}
			if i := d.t.find(value); i != 0 && d.t.Language(i).Kind == "programming" && len(value) > 0 && !slices.Contains(d.t.Projects.Spoken, strings.ToLower(value)) {
				return i, file
			}
		}
	}
	return 0, ""
}
