package receipt

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Kept is the option among the words behind a command that its program takes for its own, so that no test would see it. Behind is what has to stand before
// it, "" where the program hands none on.
func Kept(words *rule.TestWords, command, args []string) (program, option, behind string) {
	for _, word := range command {
		i := slices.IndexFunc(words.Keeps, func(k rule.Keeps) bool { return slices.Contains(k.Programs, word) })
		if i < 0 {
			continue
		}
		k := &words.Keeps[i]
		for _, arg := range args {
			if arg == "--" && k.Behind == arg {
				break
			}
			if strings.HasPrefix(arg, "-") && !slices.ContainsFunc(k.Own, func(own string) bool { return owns(own, arg) }) {
				return word, arg, k.Behind
			}
		}
		return "", "", ""
	}
	return "", "", ""
}

// owns reports an option of a program's own, with its value in the same word: -j8, --jobs=8.
func owns(own, arg string) bool {
	rest, ok := strings.CutPrefix(arg, own)
	return ok && (rest == "" || rest[0] == '=' || len(own) == 2 && rest[0] >= '0' && rest[0] <= '9')
}
