// Package work counts what a judgement costs, so that a hook answers in time whatever
// it is asked about and wherever. A command, a repository and the rules in it may all be
// made to take long; a clock would make the verdict depend on how busy the machine is.
//
// Whoever begins a judgement makes an [Account] for each kind of work in it and hands it
// to all who do such work: what one of them uses up, the others do not have. An account
// stops nobody: each asks it before a step, and says what it does not know when there is
// nothing left.
//
// # Accounts of a call
//
// Each place that grows with its input charges what it is about to do. A call has five accounts. They are not one,
// since each ends in another answer, and a stranger who can use up one must not end the others:
//
//   - Line (1.7 ms), of package shell: what a line would run. When it is over, what was found is judged, and the line
//     is asked about.
//   - Judgement (3.8 ms), of package risk: calls against rules. The same.
//   - Project (10 ms), of package risk: the project's own rules. The verdict stands without them, with a doubt: an ask
//     where `guard.mode` is strict.
//   - Files, twice (10 ms each), of shell and risk: files of the project that the line runs, in a judgement of their
//     own (risk/inside.go). What was found counts; of the rest, the lines that name a deed have a
//     tenth of that again (Gist), and what is left is run unseen, with the timeline's snapshots.
//   - Disk (10 ms), of ground, repo and ignore: links, folders, the index, objects that are unpacked
//     (repo.Repo.Charge), contents, patterns of .gitignore, remembered for the call. Rules that need no disk go on,
//     and a line that changes files is asked about (risk/unseen.go).
//
// Where HOME is not the account's, or the session has gone elsewhere, a call is judged once for each, with the first
// three accounts anew. What a folder says about the names in it is found out once for a line (risk/names.go), a line of
// more than 4 KiB is judged without collecting garbage, and documents for its programs are looked for with a quarter of
// the first account. For a call that is refused nothing else is looked at. A text that is to be written is read to its
// end, by its length.
//
// BenchmarkHostileCalls in package cli tells what the lines and repositories take that were made to take long: no more
// than 50 ms of processor, where an empty Go program takes 1 ms. That is judging. A call that saves a snapshot costs,
// besides, what there is to save: files are counted (2,000 untracked ones, 64 MiB of them, eight repositories inside),
// and their number bounds it; `.ci/bench snapshots` prints that beside git. What is untracked is hashed again each
// time: nothing but the snapshot has it, and a program that writes through a mapping can change a file without a new
// time. For tracked files Git itself believes the times, and so does moai.
//
// # Other bounds
//
// These are not about time, and stay where they are:
//
//   - shell: 128 KiB of a line and 64 levels (Go's stack), 4,096 commands (what is remembered of them), and how many
//     values a word, a variable, a loop or a brace may stand for (maxFields, maxAlts, maxLoop, maxExecs, maxTokens and
//     their kind). Each ends in a doubt about one word, where the account would end the whole line.
//   - policy/read.go: what one rule of a project may hold. It is settled when the file is read, so that `moai rules
//     check` can say it.
//   - ground: 4,096 bytes of a path and 64 links on it, as kernels have them; 1,000 files for one pattern, and 1,000
//     references for one checkpoint.
//   - repo: what is read of settings, folders of objects and work trees.
//   - state: 64 folders above a home or a project.
//   - secret: 16 times the length of a text. What is masked must not depend on what else the call has cost.
package work
