package checkpoint

import (
	"fmt"
	"strings"

	"github.com/modu-ai/moai/internal/repo"
)

// A branch has HEAD for its parent, and keeps it reachable when it no longer is from any other branch: a commit that somebody takes
// back because it holds a secret would be pushed with ours. So there is no branch where commits that no remote has seen may hold one.
const (
	// maxUnpushed bounds how many of them are looked into. Without a remote the newest ones count.
	maxUnpushed = 64
	// maxVisited bounds the search for them, and maxTips the references from which others count as published.
	maxVisited = 2000
	maxTips    = 256
	// maxJudged bounds what is read of them, in bytes, and fileWeight is what finding a file counts as.
	maxJudged  = 1 << 20
	fileWeight = 512
)

// withheld says why there must be no branch; "" says that there may be one.
func (s *snapshot) withheld() string {
	if s.head.Unborn || s.head.Hash.IsZero() {
		return ""
	}
	tips, remote := s.published()
	for _, h := range tips {
		if h == s.head.Hash {
			return ""
		}
	}
	limit := maxVisited
	if !remote {
		limit = maxUnpushed
	}
	list, more, err := s.r.Unreached(s.head.Hash, tips, limit)
	switch {
	case err != nil:
		return "commits could not be read: " + err.Error()
	case remote && (more || len(list) > maxUnpushed):
		return fmt.Sprintf("more than %d commits here were never pushed, too many to be looked through for secrets", maxUnpushed)
	}
	// What was found is found again as long as that commit is there: to read it each time costs as much as all the rest.
	if s.last != nil {
		for _, h := range list {
			if strings.HasPrefix(s.last.Unbranched, neverPushed(h)) {
				return s.last.Unbranched
			}
		}
	}
	left := int64(maxJudged)
	for _, h := range list {
		if what := s.unfit(h, &left); what != "" {
			return neverPushed(h) + what
		}
	}
	return ""
}

func neverPushed(h repo.Hash) string { return "commit " + h.String()[:10] + " was never pushed, and " }

// published gives what remotes are known to have, and the parents of branches that were looked into before.
func (s *snapshot) published() (tips []repo.Hash, remote bool) {
	for _, prefix := range [...]string{"refs/remotes/", branchRefs} {
		refs, err := s.r.Refs(prefix)
		if err != nil {
			continue
		}
		for _, ref := range refs {
			if len(tips) == maxTips {
				break
			}
			if !ref.Hash.IsZero() {
				tips = append(tips, ref.Hash)
				remote = remote || prefix != branchRefs
			}
		}
	}
	return tips, remote
}

// unfit says what in a commit may be a secret: its message, or the name or content of a file that it adds or changes.
func (s *snapshot) unfit(h repo.Hash, left *int64) string {
	c, err := s.r.Commit(h)
	if err != nil {
		return "it cannot be read"
	}
	if s.keepsOut("", []byte(c.Message+"\n")) {
		return "its message may hold a secret"
	}
	var before repo.Hash
	if len(c.Parents) > 0 {
		// Where history was cut off, the tree as a whole is what was fetched.
		p, err := s.r.Commit(c.Parents[0])
		if err != nil {
			return ""
		}
		before = p.Tree
	}
	changes, err := diffTrees(s.readTree, before, c.Tree)
	if err != nil {
		return "it cannot be compared"
	}
	// Sizes first: what is too much to look into is not read at all.
	var files []Change
	for _, ch := range changes {
		if ch.New.Mode == 0 || ch.New.Mode == repo.ModeGitlink {
			continue
		}
		size, err := s.r.BlobSize(ch.New.Hash)
		if err != nil {
			return "it cannot be read"
		}
		if *left -= size + fileWeight; *left < 0 {
			return "it adds more than moai looks through for secrets"
		}
		files = append(files, ch)
	}
	for _, ch := range files {
		if !s.fitting(ch) {
			return strings.ToValidUTF8(ch.Path, "\uFFFD") + " in it may hold a secret"
		}
	}
	return ""
}

// fitting reports that a file of a commit may be published.
func (s *snapshot) fitting(ch Change) bool {
	k, content, err := s.r.Object(ch.New.Hash)
	if err != nil || k != repo.KindBlob {
		return false
	}
	return !s.keepsOut(ch.Path, append([]byte{}, content...))
}
