package argv

import "strings"

// Runs reports whether argv starts with the words of one of programs. Flags between them do not matter
// ("go -C=x test" is "go test"; "go -C x test" is not, since x might be the subcommand as well), nor does the folder of the program.
func Runs(programs, argv []string) bool {
	if len(argv) == 0 {
		return false
	}
	base := argv[0]
	if i := strings.LastIndexAny(base, `/\`); i >= 0 {
		base = base[i+1:]
	}
	base = strings.TrimSuffix(base, ".exe")
	for _, p := range programs {
		name, rest, _ := strings.Cut(p, " ")
		if name != base {
			continue
		}
		at := 1
		for word := range strings.FieldsSeq(rest) {
			for at < len(argv) && argv[at] != word && strings.HasPrefix(argv[at], "-") {
				at++
			}
			if at >= len(argv) || argv[at] != word {
				at = -1
				break
			}
			at++
		}
		if at > 0 {
			return true
		}
	}
	return false
}
