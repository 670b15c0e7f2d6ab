package repo

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// matrixRows are the areas in which Git libraries were found to answer wrongly, slowly or not at all, in the order of that list, with
// the cases of the matrix that show what git does and moai must do. Where there is nothing to compare a status with, a test by
// itself is named, with its package where that is another one.
var matrixRows = []struct {
	title string
	cases []string
}{
	1:  {"stat data of the index", []string{"clean", "modified", "touched only", "same-size quick edit", "ignoreStat", "checkStat minimal", "TestStatusSeesRacyEdits"}},
	2:  {"ignored directories are not walked", []string{"ignored dir", "tracked in ignored dir", "ignored dir with tracked", "tracked ignored file modified", "TestStatusStaysOutOfIgnored"}},
	3:  {"untracked count", []string{"untracked file", "untracked dir collapse", "empty untracked dir", "untracked dir all ignored inside", "untracked dir with own gitignore", "status.showUntrackedFiles=no", "status.showUntrackedFiles=all", "TestStatusCounts"}},
	4:  {"info/exclude", []string{"info/exclude"}},
	5:  {"core.excludesFile and the XDG file", []string{"global excludesFile", "XDG ignore"}},
	6:  {"include.path and includeIf", []string{"include.path excludes", "includeIf gitdir", "includeIf onbranch", "TestConfigOracle"}},
	7:  {"gitignore dialect", []string{"negation", "ignore bang class", "ignore posix class", "ignore ** backtrack", "ignore inner **", "ignore escapes", "ignore anchored", "ignore reinclude", "ignore parent excluded", "ignore BOM", "ignore CRLF file", "ignore CRLF without last line feed", "gitignore is a link", "gitignore from the index when skip-worktree"}},
	8:  {"autocrlf, text and eol", []string{"autocrlf touched", "autocrlf with CRLF stored", "text with CRLF stored", "eol=crlf touched", "attributes from the index", "attributes file replaced by a directory"}},
	9:  {"clean filters, LFS, ident, working-tree-encoding", []string{"clean filter touched", "LFS touched", "ident touched", "working-tree-encoding touched"}},
	10: {"core.fileMode", []string{"fileMode false chmod", "fileMode true chmod", "chmod 600"}},
	11: {"symbolic links", []string{"symlink clean", "symlink retarget", "typechange", "staged typechange", "core.symlinks false", "dangling symlink", "dir replaced by symlink"}},
	12: {"assume-unchanged", []string{"assume-unchanged"}},
	13: {"skip-worktree", []string{"skip-worktree missing", "skip-worktree present", "sparse checkout", "sparse checkout with a file present", "sparse checkout, ext removed"}},
	14: {"intent-to-add", []string{"intent-to-add", "intent-to-add renamed"}},
	15: {"unmerged paths", []string{"unmerged conflict", "unmerged delete and modify", "unmerged in every way", "merge in progress, resolved"}},
	16: {"staged renames", []string{"staged rename exact", "staged rename inexact", "staged renames off", "staged copies", "staged and worktree"}},
	17: {"rm --cached", []string{"rm --cached", "deleted"}},
	18: {"file replaced by directory", []string{"file to directory", "directory to file", "file replaced by a repository", "file replaced by a repository, all untracked"}},
	19: {"nested repository", []string{"nested repo", "nested repo without files"}},
	20: {"FIFO", []string{"fifo and socket", "file replaced by a fifo", "TestSpecialFiles"}},
	21: {"submodule: commits", []string{"submodule clean", "submodule new commit", "submodule staged commit", "submodule uninit", "submodule removed", "inside a submodule"}},
	22: {"submodule: content", []string{"submodule dirty content", "submodule untracked", "submodule ignore all", "submodule ignore untracked", "TestStatusEndsInRecursiveSubmodules"}},
	23: {"linked worktree", []string{"linked worktree"}},
	24: {"core.worktree", []string{"core.worktree", "separate-git-dir", "TestOpenPlaces"}},
	25: {"index versions 2, 3 and 4", []string{"index v2", "index v3", "index v4", "TestIndexEntries"}},
	26: {"index.skipHash", []string{"index.skipHash"}},
	27: {"split index", []string{"split index"}},
	28: {"sparse index", []string{"sparse index", "sparse index with as many untracked directories", "sparse index with a directory present", "sparse index staged"}},
	29: {"untracked cache, fsmonitor, EOIE, IEOT", []string{"untracked cache", "fsmonitor ext", "EOIE and IEOT extensions"}},
	30: {"extensions.worktreeConfig", []string{"worktreeConfig v0", "worktreeConfig v1"}},
	31: {"preciousObjects, relativeWorktrees", []string{"preciousObjects", "TestOpenRelativeWorktrees"}},
	32: {"SHA-256", []string{"sha256", "checkpoint.TestSHA256"}},
	33: {"reftable", []string{"TestOpenDeclines"}},
	34: {"partial clone", []string{"partial clone", "checkpoint.TestPartialClone"}},
	35: {"alternates", []string{"alternates", "TestAlternates", "TestStatusWithoutHeadsObjects"}},
	36: {"shallow clone", []string{"shallow clone"}},
	37: {"packed-refs", []string{"packed-refs", "TestRefs"}},
	38: {"multi-pack-index, commit-graph, bitmaps, .rev", []string{"midx and commit-graph", "bitmap and reverse index", "packed objects", "TestReadsWhatGitPacked"}},
	39: {"safe.directory and owner", []string{"TestOpenOwner"}},
	40: {"index.lock", []string{"index.lock held", "checkpoint.TestIndexLockAndGCAreNoMatter"}},
	41: {"locks of references", []string{"TestLockIsRespected", "TestLockOfAKilledProcess", "TestRefsConcurrently"}},
	42: {"a reference that could not be written", []string{"TestCreateRef", "TestPrepareRef"}},
	43: {"directory/file conflict with a packed reference", []string{"TestCreateRef", "checkpoint.TestBranchInTheWay"}},
	44: {"what is written waits for the disk", []string{"checkpoint.TestEverythingIsSynced"}},
	// Beside the list: what it was made with, and what random repositories found.
	45: {"where HEAD is", []string{"detached", "unborn", "TestHead"}},
	46: {"names", []string{"odd names", "unicode and space names", "decomposed and composed names", "ignoreCase"}},
}

// TestMatrixRows keeps the list and the cases together: a row without a case, and a case without a row, are seen.
func TestMatrixRows(t *testing.T) {
	tests := map[string]bool{}
	for dir, prefix := range map[string]string{".": "", "../checkpoint": "checkpoint."} {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("tests in %s: %v, %v", dir, files, err)
		}
		for _, name := range files {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Test") {
					tests[prefix+fn.Name.Name] = true
				}
			}
		}
	}
	named := map[string]bool{}
	for i, row := range matrixRows[1:] {
		if row.title == "" || len(row.cases) == 0 {
			t.Errorf("row %d (%s) has no case", i+1, row.title)
		}
		for _, name := range row.cases {
			named[name] = true
			if !tests[name] && !slices.ContainsFunc(matrix, func(c matrixCase) bool { return c.name == name }) {
				t.Errorf("row %d (%s): there is no case %q", i+1, row.title, name)
			}
		}
	}
	for _, c := range matrix {
		if !named[c.name] {
			t.Errorf("case %q belongs to no row", c.name)
		}
	}
}
