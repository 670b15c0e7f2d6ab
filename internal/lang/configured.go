package lang

import "strings"

// configFiles are where a project may state its language (S0-15), the first that
// does wins.
var configFiles = [...]string{
	".moai/config.json", ".moai/config.yaml", ".moai/config.yml",
	".moai/config/config.json", ".moai/config/config.yaml", ".moai/config/sections/project.yaml",
}

// configKeys are the fields that may hold it. "language" is also what older
// files call a group about the language of conversation: there it is an object,
// or a word such as "ko", and names no programming language.
var configKeys = [...]string{"project.language", "language", "project.programming_language", "project.primary_language"}

// configured is the language that .moai/config names; 0 when it names none.
func (d *detection) configured() (lang int16, file string) {
	if !d.root.exists(".moai/") {
		return 0, ""
	}
	for _, file := range configFiles {
		data := d.root.data(file)
		if data == nil {
			continue
		}
		for _, key := range configKeys {
			var value string
			if strings.HasSuffix(file, ".json") {
				value = jsonField(data, key)
			} else {
				value = yamlField(data, key)
			}
			if i := d.t.find(value); i != 0 && d.t.Language(i).Kind == "programming" && len(value) > 0 && !conversation(value) {
				return i, file
			}
		}
	}
	return 0, ""
}

// conversation says that a value is a code of a human language that happens to
// be an alias of a programming one.
func conversation(value string) bool {
	switch strings.ToLower(value) {
	case "ko", "en", "ja", "zh", "es", "fr", "de", "pt", "it", "vi", "pl", "cs", "sv", "io", "rs", "ml", "hs", "ex":
		return true
	}
	return false
}
