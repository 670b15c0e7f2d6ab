// Package receipt keeps how tests, builds and checks of a project ended, by what its files held then: whoever asks later whether these very files
// were tested need not run anything.
//
// It runs nothing itself, and answers no hook. Its invariant: a receipt is about the files by whose content it is named, whatever branch or index
// they are in. What could not be named has no receipt.
//
// # How
//
//   - The name of files (Files) is a hash of all paths with mode and content as Git would store it: the index, with
//     what differs on disk in place of it. So work tree, index and commit of the same files have one name, and what a
//     commit will hold is named before it is made, by its own words and those of `git add` before it (`risk.Commit`).
//     Merges, 2,000 changes and 64 MiB have none, and so no receipt.
//   - A hook runs no test by itself (`quality.commit_run` has it do so). `moai test` does, and PreToolUse and
//     PostToolUse around a test command of the model's compare the names. Which part of a line ran, and how it
//     ended, is told by the line's own end (`shell.Fates`); where that says nothing of the tests (pipes, `|| true`, the
//     background), they leave none.
//   - A set-up that is broken (no such task, no such program, a module that the project does not have itself:
//     `rules/quality/tests.toml`) says nothing against the files, where no test ran.
//   - A run of some tests (`rules/quality/tests.toml`), or of none, is no green one, and takes the place of none that
//     says more.
//   - Before a commit the guard's own reading of the line says whether there is one; other lines cost nothing. With
//     `guard.mode` off nothing is read, and no commit is looked at.
//
// # Checks at the end of a turn
//
//   - They (`quality.check`, `handle/checked.go`) are the project's own commands (`lint` and `typecheck` rows of
//     `rules/languages`), and their findings are kept in receipts, too. New is what a run of the files as they were
//     when the turn began has not, by the turn's snapshot, whose tree has the same name as a work tree (NameTree);
//     where none is known, what stands on lines that the turn has changed. Package lint reads any output in which a
//     line names a file of the project and a line of it.
//   - What runs inside a hook (`handle/runs.go`) ends three seconds before the client gives the hook up, as it is
//     registered in the settings, since an answer that comes later is lost, and the guard's with it. `moai init`
//     registers a longer time where it is wanted.
package receipt
