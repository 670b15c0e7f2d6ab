package repo

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrShallow says that a commit was not fetched: the clone ends before it.
var ErrShallow = errors.New("the clone is shallow and ends before it")

// maxAncestors bounds how far back "~" leads.
const maxAncestors = 100_000

// Revision finds the commit that words name: a reference, a whole or a short id, and from there "~2" and "^2" any number of
// times. Of the other words of gitrevisions(7) it knows "@" alone.
func (r *Repo) Revision(words string) (Hash, *Commit, error) {
	base, ways := words, ""
	if i := strings.IndexAny(words, "^~"); i >= 0 {
		base, ways = words[:i], words[i:]
	}
	if base == "@" {
		base = "HEAD"
	}
	h, err := r.Resolve(base)
	if err != nil {
		short, ok := r.Expand(strings.ToLower(base))
		if !ok || len(base) < 4 {
			return h, nil, fmt.Errorf("%w: %s", ErrNoRef, base)
		}
		h = short
	}
	c, err := r.Commit(h)
	if err != nil {
		return h, nil, err
	}
	steps := 0
	for rest := ways; rest != ""; {
		if after, ok := strings.CutPrefix(strings.Replace(rest, "^{commit}", "^{}", 1), "^{}"); ok { // it is one already
			rest = after
			continue
		}
		op := rest[0]
		digits := len(rest) - 1 - len(strings.TrimLeft(rest[1:], "0123456789"))
		n, err := strconv.Atoi(rest[1 : 1+digits])
		if digits == 0 {
			n, err = 1, nil
		}
		if rest = rest[1+digits:]; op != '^' && op != '~' || err != nil {
			return h, nil, fmt.Errorf("%w: %s", ErrNoRef, words)
		}
		which := 0
		if op == '^' {
			n, which = min(n, 1), max(n-1, 0)
		}
		for ; n > 0; n-- {
			if steps++; steps > maxAncestors {
				return h, nil, fmt.Errorf("%w: %s is more than %d commits back", ErrNoRef, words, maxAncestors)
			}
			if which >= len(c.Parents) {
				return h, nil, fmt.Errorf("%w: %s has no such parent", ErrNoRef, h)
			}
			parent := c.Parents[which]
			next, err := r.Commit(parent)
			if err != nil {
				if errors.Is(err, ErrNoObject) && len(r.shallow()) > 0 {
					err = fmt.Errorf("%s: %w", words, ErrShallow)
				}
				return parent, nil, err
			}
			h, c = parent, next
		}
	}
	return h, c, nil
}
