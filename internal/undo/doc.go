// Package undo takes back what turns of an agent's session changed, and brings it again.
//
// It reads the timelines that package checkpoint keeps, tells from them what each turn and each command of a session changed, plans
// what taking it back comes to (paths that somebody else has changed since stay, or are merged line by line), and has checkpoint
// carry that out. It answers no hook and prints nothing.
//
// Its invariants: nothing is undone that the session did not do; what an undo overwrites is in the timeline first; an undo is a step
// like others, which can be taken back; and one that was cut off is told, and can be finished. No file goes that may have been there
// before unseen (Git ignored it, or it lay in a repository inside), and nothing is done in another work tree than the one that was saved.
//
// # How
//
//   - What was done (`handle/timeline.go`): a prompt of a person, the end of a turn, and commands that are not known
//     to only read mark steps. Files that tools are given stand in the journal. What differs between the snapshots
//     before and after a command is that command's. Where commands of two sessions ran at the same moment (window.go), it is that of
//     the one that alone can have done it by its words, or that alone names it, else of the one that ran inside the time of the other; what
//     nothing tells stays. What differs from how a tool left a file is not the tool's. A file that somebody has changed
//     since the prompt, and that a tool then writes, gets snapshots around that call, as around a command. A change
//     that lies between a prompt and its end, and around which no command ran, belongs to nobody: it stays unless it is
//     asked for.
//   - A call of whose end nobody told (unheard.go: its client was killed, its user stopped it, or it goes on in the background) is known with
//     what it was judged to change. Of that, what is gone, what is as Git or another file had it, and what was written just after it
//     began is its doing; anything else may be a person's work, and stays. What one in the background does behind its turn is a span of its own.
//   - Taking back (plan.go) goes from the newest turn to the oldest and asks of each path what it is now: as the turn
//     left it, it becomes what it was; else the lines are merged (`diff.Merge`), or it stays and is named. What commands did
//     to files that are the same at both ends of a turn is taken back, too: a person made what they took away. The result
//     is a blend, a snapshot that never was, and `checkpoint.Restore` brings it about: so an undo has all that a
//     restore has. What is there first is a step, the blend is the next, and a third says that it is reached: an undo
//     that was killed is found by that, and the next one finishes it. Redo is the same from the blend back to the step
//     before it.
//   - What Git ignored when a span began is in no snapshot of then (plan_unseen.go). What commands showed to Git since, and took away again, comes back as it
//     was seen first, in a snapshot or in a commit that they made, under the name that it had; where it cannot, what has it alone stays.
//   - Credentials that Git ignores are looked for in the top three levels, once in ten minutes, and those that are
//     known are compared with each prompt; a step names the snapshot with their copies, and so are others from then on
//     when the guard has copied them before a call. Names of others that Git
//     ignores are found in the same look, so that an undo can say which of them are gone.
package undo
