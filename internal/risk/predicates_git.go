package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// gitPredicates are the predicates about what Git loses, brings and publishes.
var gitPredicates = []Predicate{
	{
		name: "added-remote", about: []string{"git"}, doc: "git push goes to a remote that the line itself makes, or leads to another machine",
		call: (*match).addedRemote,
	},
	{
		name: "adds-to-git", about: []string{"git"}, doc: "Git reads files in order to store them, not to show them",
		call: func(m *match) bool {
			return m.call.name == "git" && !m.c.set.members("shown-by-git").Meets(func(sub string) bool { return m.call.sub(sub, nil) })
		},
	},
	{
		name: "as-in-head", about: []string{"git"}, doc: "the call is given plain files and folders alone, each as HEAD has it, in the index and in its folder",
		call: (*match).asInHead,
	},
	{
		name: "brings-over", about: []string{"git"}, doc: "a commit, a branch or the stash has files where something stands that HEAD does not hold: Git writes over what it ignores",
		call: (*match).bringsOver,
	},
	{
		name: "brings-unknown", about: []string{"git"}, doc: "files of a commit come that only the run of the line will tell, and may be written over what Git ignores",
		call: (*match).bringsUnknown,
	},
	{
		name: "cleans", about: []string{"git"}, doc: "git clean deletes: it is forced, or a setting or variable, here or on the line, takes the place of that",
		call: (*match).cleans,
	},
	{
		name: "cleans-clean-folders", about: []string{"git"}, doc: "git clean is given folders alone in which Git shows nothing but what it tracks",
		call: (*match).cleansFoldersClean,
	},
	{
		name: "cleans-nothing", about: []string{"git"}, doc: "nothing is there for git clean but what programs make again",
		call: (*match).cleansNothing,
	},
	{
		name: "config-push", about: []string{"git"}, doc: "a setting of Git makes later pushes force, mirror or publish all",
		call: (*match).configPush,
	},
	{
		name: "config-runs", about: []string{"git"}, doc: "\"git config\" stores a setting whose value Git runs",
		call: (*match).configRuns,
	},
	{
		name: "delete-refspec", about: []string{"git"}, doc: "\":branch\" of git push",
		call: func(m *match) bool {
			return m.anyOperand(func(s string) bool { return strings.HasPrefix(s, ":") && len(s) > 1 })
		},
	},
	{
		name: "deletes-worktree", doc: "the folder of a linked work tree of this repository, outside of the project, goes",
		call: (*match).deletesWorktree,
	},
	{
		name: "diffs-ignored", about: []string{"git"}, doc: "a diff of the work tree with the index names only files that Git ignores, of which it prints nothing",
		call: (*match).diffsIgnored,
	},
	{
		name: "displaces", about: []string{"git"}, doc: "something that Git does not hold stands where it has a file or a folder, or is in a file that it was told not to look at, and goes when that is written",
		call: (*match).displaces,
	},
	{
		name: "drops-by-setting", about: []string{"git"}, doc: "settings make git gc drop at once what only lost references hold",
		call: (*match).dropsBySetting,
	},
	{
		name: "drops-only-copy", about: []string{"git"}, doc: "git takes out of the index what HEAD does not hold and whose file is gone",
		call: (*match).dropsOnlyCopy,
	},
	{
		name: "drops-staged", about: []string{"git"}, doc: "git takes out of the index what neither HEAD nor a file holds",
		call: (*match).dropsStaged,
	},
	{
		name: "edits-by-filter", about: []string{"git"}, doc: "the variables that are set for Git name editors alone, and these are programs for text, such as sed",
		call: (*match).editsByFilter,
	},
	{
		name: "fetches-checkpoints", about: []string{"git"}, doc: "settings, or the call's own, make a fetch delete checkpoints",
		call: (*match).fetchesCheckpoints,
	},
	{
		name: "fetches-over", about: []string{"git"}, doc: "settings make a fetch write over, or delete, branches or tags of this repository",
		call: (*match).fetchesOver,
	},
	{
		name: "force-refspec", about: []string{"git"}, doc: "\"+branch\" of git push",
		call: func(m *match) bool {
			return m.anyOperand(func(s string) bool { return strings.HasPrefix(s, "+") && len(s) > 1 || strings.Contains(s, ":+") })
		},
	},
	{
		name: "forces-tag", about: []string{"git"}, doc: "git push moves tags, and nothing else, at the remote",
		call: (*match).forcesTag,
	},
	{
		name: "git-hook", doc: "the path is a single hook of a repository",
		effect: func(m *match, e *effect) bool {
			return e.known && !e.glob && strings.Contains(m.c.locate(m.call, e).Path, "/.git/hooks/")
		},
	},
	{
		name: "handed-git", doc: "the repository's own files may be among those that a pattern or search hands to a program",
		call: (*match).handedGit,
	},
	{
		name: "home-config", about: []string{"git"}, doc: "the line names another home for Git, whose settings make it run a program",
		call: (*match).homeConfig,
	},
	{
		name: "injects-config", about: []string{"git"}, doc: "settings of Git in numbered variables",
		call: (*match).injectsConfig,
	},
	{
		name: "leaves-commits", about: []string{"git"}, doc: "HEAD moves away from commits that no reference leads to, those that the line itself makes among them",
		call: (*match).leavesCommits,
	},
	{
		name: "leaves-commits-inside", about: []string{"git"}, doc: "HEAD of a submodule stands on commits that no reference leads to, and that the repository around it does not name",
		call: (*match).leavesInside,
	},
	{
		name: "lists-checkpoints", about: []string{"git"}, doc: "references are deleted that come from elsewhere than the line",
		call: (*match).listsCheckpoints,
	},
	{
		name: "may-bring-over", doc: "files of a commit come from elsewhere, and may be written over what Git ignores",
		call: (*match).mayBringOver,
	},
	{
		name: "may-edit-git", doc: "the repository's own files may be among those that are written, which a pattern or search stands for",
		effect: (*match).mayEditGit,
	},
	{
		name: "may-take-git", doc: "the repository's own folder may be among the names that a pattern or search stands for",
		effect: func(m *match, e *effect) bool { return m.takesGit(e) != never },
	},
	{
		name: "mirrors-by-setting", about: []string{"git"}, doc: "settings, of the line or of the repository, make a push take hidden references along",
		call: (*match).mirrorsBySetting,
	},
	{
		name: "moves-checkpoints", about: []string{"git"}, doc: "a reference of checkpoints gets another value or name",
		call: (*match).movesCheckpoints,
	},
	{
		name: "moves-repository", about: []string{"git"}, doc: "a repository stands where git init is told to make one whose data lies elsewhere: Git moves it there",
		call: (*match).movesRepository,
	},
	{
		name: "moves-worktree", doc: "a linked work tree of this repository moves away from where Git looks for it",
		call: (*match).movesWorktree,
	},
	{
		name: "nothing-waits", about: []string{"git"}, doc: "no operation of Git's waits to be finished where the call works, and nothing can be given up",
		call: func(m *match) bool {
			return m.c.in.Waiting != nil && !m.call.away() && !m.c.in.Waiting(m.worksIn())
		},
	},
	{
		name: "odd-transport", about: []string{"git"}, doc: "a GIT_SSH_COMMAND that is more than plain ssh",
		call: func(m *match) bool { return m.reachesRemote() && m.oddTransport() },
	},
	{
		name: "onto-published", about: []string{"git"}, doc: "git push to a branch that a service shows to everybody",
		call: (*match).ontoPublished,
	},
	{
		name: "onto-shared", about: []string{"git"}, doc: "git push puts what is on another branch onto one that a team works from",
		call: (*match).ontoShared,
	},
	{
		name: "operation-state", doc: "the path is what Git keeps of an operation that waits to be finished",
		effect: func(m *match, e *effect) bool {
			// By its own name: a way through it leads elsewhere in the repository.
			return m.c.locate(m.call, e).Names&rule.Underway != 0 && e.known && !e.glob && !strings.Contains(e.text, "..")
		},
	},
	{
		name: "operation-waits", about: []string{"git"}, doc: "an operation of Git's waits to be finished where the call works",
		call: (*match).operationWaits,
	},
	{
		name: "pathspec", about: []string{"git"}, doc: "git checkout is given paths",
		call: (*match).pathspec,
	},
	{
		name: "protected-ref", about: []string{"git"}, doc: "a branch that a team shares",
		call: func(m *match) bool {
			return m.anyOperand(m.c.protectedRef) || m.pushesProtected()
		},
	},
	{
		name: "publishes-checkpoints", about: []string{"git"}, doc: "checkpoints are pushed, by name or by a pattern that takes all references",
		call: (*match).publishesCheckpoints,
	},
	{
		name: "removes-submodule", about: []string{"git"}, doc: "git rm takes the folder of a submodule away",
		call: (*match).removesSubmodule,
	},
	{
		name: "removes-worktree", about: []string{"git"}, doc: "git deletes the folder of a linked work tree, which is there",
		call: (*match).removesWorktree,
	},
	{
		name: "rewrites-history", about: []string{"git", "bfg"}, doc: "a program or subcommand that makes all commits anew",
		call: func(m *match) bool {
			return !m.call.given([]string{"--analyze", "--dry-run"}) && (m.call.name != "git" || m.call.sub("filter-branch", nil) || m.call.sub("filter-repo", nil))
		},
	},
	{
		name: "runs-no-hook", about: []string{"git"}, doc: "nothing is there of the hooks that a variable or a setting switches off",
		call: (*match).runsNoHook,
	},
	{
		name: "same-host", about: []string{"git"}, doc: "another way to one and the same machine takes the place of an address, and no open one",
		call: (*match).sameHost,
	},
	{
		name: "shell-alias", about: []string{"git"}, doc: "\"git -c\" sets what Git runs",
		call: (*match).shellAlias,
	},
	{
		name: "skips-no-hook", about: []string{"git"}, doc: "nothing is there of the hooks that Git is told to leave out",
		call: (*match).skipsNoHook,
	},
	{
		name: "spares-ignored", about: []string{"git"}, doc: "of the folders that a sparse checkout leaves out, Git ignores nothing but what programs make again",
		call: (*match).sparesIgnored,
	},
	{
		name: "stale-lock", doc: "the path is a lock that a Git which died left behind, or what it noted of a gc",
		effect: func(m *match, e *effect) bool {
			// What Git itself tells people to remove after a crash. It names nothing so that
			// is of value: no reference may end in ".lock" (git check-ref-format).
			p := m.c.locate(m.call, e).Path
			return (strings.HasSuffix(p, ".lock") || strings.HasSuffix(p, "/.git/gc.log")) && e.known && !e.glob
		},
	},
	{
		name: "starts-by-tag", about: []string{"git"}, doc: "tags are pushed from a repository in which a pipeline starts by one",
		call: (*match).startsByTag,
	},
	{
		name: "strays", about: []string{"git"}, doc: "a work tree which Git forgets stands on a commit that no reference leads to",
		call: (*match).strays,
	},
	{
		name: "throw-away-work", about: []string{"git"}, doc: "the repository lies in a place for throw-away files",
		call: (*match).throwAwayWork,
	},
	{
		name: "unlogged", about: []string{"git"}, doc: "HEAD moves where no log will tell where it stood",
		call: (*match).unlogged,
	},
	{
		name: "unread-alias", about: []string{"git"}, doc: "a subcommand that is not Git's own, where the settings that may define it could not be read",
		call: (*match).unreadAlias,
	},
}
