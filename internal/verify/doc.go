// Package verify knows which of a session's work nobody else has looked at yet.
//
// One agent writes, another one looks. The package keeps, for each session, the files that its tools changed and how they
// were left (track.go, picture.go), which verifiers have begun and finished (run.go), how their answers are to be read
// (said.go), and decides what the end of a turn comes to (decide.go). One small file a session holds all of it, changed
// under its lock (store.go).
//
// It answers no hook, knows no wire format and prints nothing: package handle feeds it and puts its decisions into words.
// Which agents verify, which files need it and how messages say what was found are tables that it is given.
//
// Its invariants:
//   - Only what this session's own tools changed counts. What a person, another session, a formatter or a build changed
//     arms nothing.
//   - A look counts for a file as it was from the look's beginning to its end, and for no later change of it.
//   - No answer is no look: a verifier that failed, was cut off or says that it could not look leaves all as it was.
//   - A gate ends by itself: one block for one state of the files (fewer files, each as it was, are no new one), two a
//     turn, twenty without a finding.
//
// # What counts
//
//   - The session's work is what a tool was given to write, and around a command line that is not known to only read
//     (`risk.OnlyReads`) what a picture of the work tree before and one after do not share (picture.go): content
//     where files are few and small, else size and time. So a user's dirty file, even one that is stashed and brought
//     back, is not the session's. What a line changes and commits at once is found by its commits, where HEAD moved by
//     nothing but new ones of one parent (committed.go), else by the logs of HEAD and the stash, as is what it commits elsewhere or stashes: that
//     counts once the file holds it again (aside.go), and as long as a branch has it that is not checked out (branches.go, commits.go). What a pull or a merge brings is nobody's, and neither is
//     what a branch had before the session and goes on from what was here (standing.go), nor
//     what Git or undo brings back out of HEAD or the stash into files that the session has not written. Old code does count (rewound.go):
//     a file of another commit, and a branch that goes back behind the session's beginning. A file
//     that another session's tool wrote meanwhile is that one's. Two sessions whose commands overlap in time cannot
//     be told apart: whose ends first is taken for the writer. A command that leaves
//     something running is looked at once more at the end of the turn, as one of whose end nobody told. What was written in another
//     work tree of the repository counts there, and in the project once that has it (Arrived); what was written in a clone counts only then (beside.go).
//   - A look is kept with the number of the change that it saw and a hash. It counts as long as the session does not
//     change the file; what a person or a formatter does to it is not the session's. A verifier's own tests are its
//     check, and need none.
//   - A last line `VERDICT: PASS`, `BLOCKERS` or `UNABLE` of a verifier is believed; in other answers words are looked
//     for, with what takes them back (`rules/agents/verdicts.toml`). No answer, or one that the client wrote (a quota,
//     an error), is no look, and none is what passes without a call that may read, where that is known: moai is called
//     before each, or the conversation is there as a whole.
//     Nor has one passed a file in which another one has found something since it began: it knew nothing of that.
//   - A look counts for the files that the verifier had before it: by its calls, its conversation and what it was told, where all of
//     that is known (`rules/agents`, [shows]). A call shows all files if moai cannot tell what it shows, such as a run of the tests; so
//     does a verifier some of whose calls are not known. What a command line put out decides what it showed (State.Answered). If a verifier found something, the next one need not read again what the first has read and nobody has changed.
//   - What holds again what it held before the session counts nowhere (counts.go): by a hash where a command found it
//     changed, by the commits of then and now elsewhere. Once a command of the session has brought a file there, by a stash, another
//     branch or a checkout of the file, nothing in it is the session's, whoever changes it next (File.TookBack).
//   - At the end of a turn, what was committed, and is not as it was when the session began, still counts; what Git
//     shows as unchanged, or ignores, does not, but for what was there before the session and it hid (kept.go). A message that ends with a question waits for the user. Git is asked
//     only where by its name some file waits for a look.
//   - Files that move stay the session's work under their new names, with the looks at what they held, also where the
//     move is committed at once (moved.go: by Git's names of contents); what was not the session's is not its work for
//     another name. What is gone waits for nobody, but for
//     what a command of the session's took away that a commit from before it has (File.Lost): there the loss is to be looked at. Where no verifier is installed, all of it is told once a session.
//   - Cost: a command that may write costs a status before and one after. Files with a time to live swap places
//     (state.Swap), since ext4 writes a file to disk when it takes the place of another one: 45 µs in place of 115.
package verify
