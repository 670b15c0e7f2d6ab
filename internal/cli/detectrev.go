package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/repo"
)

// refusedRevision says in one line why there is no answer for a commit, and what helps.
func refusedRevision(dir, rev string, err error) error {
	switch {
	case errors.Is(err, repo.ErrNone):
		return hint(fmt.Errorf("%s is in no Git repository, and --rev needs one", dir), "moai detect")
	case errors.Is(err, repo.ErrShallow):
		return hint(fmt.Errorf("%s was not fetched: this clone is shallow and ends before it", rev), "git fetch --unshallow")
	case errors.Is(err, repo.ErrNoObject):
		if r, at := repo.Open(dir); at == nil && r.Partial() {
			return hint(fmt.Errorf("not all of %s was fetched: this clone is partial", rev), "git archive "+argv.Quote(rev)+" >"+os.DevNull)
		}
		return hint(fmt.Errorf("not all of %s is here: %w", rev, err), "git fsck")
	case errors.Is(err, repo.ErrNoRef) && strings.ContainsAny(rev, ":{ "):
		return hint(nof("%q is no form of a commit that --rev reads: a name, an id, ~2 or ^2 behind it", rev), "moai detect --rev \"$(git rev-parse "+argv.Quote(rev)+")\"")
	case errors.Is(err, repo.ErrNoRef):
		return hint(nof("no commit is called %q", rev), "git log --oneline --all")
	}
	return err
}

// maxOffered bounds the names that a shell is offered.
const maxOffered = 1000

// completeRevisions offers branches and tags.
func (e *env) completeRevisions(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	names := []string{"HEAD"}
	r, err := repo.Open(e.dir)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, prefix := range []string{"refs/heads/", "refs/tags/", "refs/remotes/"} {
		refs, err := r.Refs(prefix)
		if err != nil {
			continue
		}
		for i := range refs {
			if len(names) < maxOffered {
				names = append(names, strings.TrimPrefix(refs[i].Name, prefix))
			}
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
