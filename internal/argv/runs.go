package argv

import "strings"

// Runs reports whether argv starts with the words of one of programs. Options between them do not matter,
// and neither does a word that may be the value of one ("go -C x test" is "go test"), the folder of the program, or its minor version. A last word
// that ends in a colon stands for all that begin so.
func Runs(programs, argv []string) bool {
	_, runs := Behind(programs, argv)
	return runs
}

// Behind is what stands behind those words, where Runs is true.
func Behind(programs, argv []string) (rest []string, runs bool) {
	if len(argv) == 0 {
		return nil, false
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
		if name != base && name != plain {
			continue
		}
		if behind, ok := follow(strings.Fields(rest), argv[1:]); ok {
			return behind, true
		}
	}
	return nil, false
}

// follow finds words in their order, with nothing between them but options, and what may be the value of one, and returns what stands behind them.
func follow(words, argv []string) ([]string, bool) {
	if len(words) == 0 {
		return argv, true
	}
	for len(argv) > 0 && argv[0] != words[0] && (strings.HasPrefix(argv[0], "-") || strings.HasPrefix(argv[0], "+")) { // cargo +nightly test
		if !strings.Contains(argv[0], "=") && len(argv) > 2 && !strings.HasPrefix(argv[1], "-") {
			if rest, ok := follow(words, argv[2:]); ok {
				return rest, true
			}
		}
		argv = argv[1:]
	}
	if len(argv) == 0 || argv[0] != words[0] && !(strings.HasSuffix(words[0], ":") && strings.HasPrefix(argv[0], words[0])) {
		return nil, false
	}
	return follow(words[1:], argv[1:])
}
