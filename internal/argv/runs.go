package argv

import "strings"

// Runs reports whether argv starts with the words of one of programs. Options between them do not matter,
// and neither does a word that may be the value of one ("go -C x test" is "go test"), the folder of the program, or its minor version.
func Runs(programs, argv []string) bool {
	if len(argv) == 0 {
		return false
	}
	base := argv[0]
	if i := strings.LastIndexAny(base, `/\`); i >= 0 {
		base = base[i+1:]
	}
	base = strings.TrimSuffix(base, ".exe")
	plain := strings.TrimRight(base, "0123456789")
	if cut, ok := strings.CutSuffix(plain, "."); ok { // python3.12 is python3
		plain = cut
	} else {
		plain = base
	}
	for _, p := range programs {
		name, rest, _ := strings.Cut(p, " ")
		if (name == base || name == plain) && follow(strings.Fields(rest), argv[1:]) {
			return true
		}
	}
	return false
}

// follow reports words in their order, with nothing between them but options, and what may be the value of one.
func follow(words, argv []string) bool {
	if len(words) == 0 {
		return true
	}
	for len(argv) > 0 && argv[0] != words[0] && (strings.HasPrefix(argv[0], "-") || strings.HasPrefix(argv[0], "+")) { // cargo +nightly test
		if !strings.Contains(argv[0], "=") && len(argv) > 2 && !strings.HasPrefix(argv[1], "-") && follow(words, argv[2:]) {
			return true
		}
		argv = argv[1:]
	}
	return len(argv) > 0 && argv[0] == words[0] && follow(words[1:], argv[1:])
}
