// Package risk judges what an agent is about to do: a command line or a tool
// call goes in, an action comes out with the rules that fired, the span that
// they fired on, the paths that are in danger, and what to do instead.
//
// It is not a sandbox and not a parser: package shell says what a line runs,
// tables say what is risky, and it reads nothing but what the callbacks of
// [Input] answer. Its invariants: the same input and the same answers give the
// same verdict; a doubt never lowers an action; nothing is run or written.
//
// # What the guard cannot see of itself
//
// Lines that take the guard's program, settings or record away are stopped or asked about by what they say. What they
// do not say is left, since a question for every such line would be answered without a look:
//
//   - Any name at all: `rm "$X"`, `cd "$X"; rm *`, a list that another program makes as the line runs. Where only the
//     folder is unknown, the end of the path decides (unplaced.go); a list that is there is read (listed.go).
//   - Commits that are not here yet (`git pull`, `git fetch` and what merges it) and a change that is more than 256
//     commits behind. Such a file that loses its registration in a session is refused by ConfigChange, and told at the
//     next call (`handle/looked.go`).
//   - Archives that the line itself fetches. One that is there and cannot be looked into (bzip2, xz, zstd, too long)
//     is asked about where settings of an agent could come, unless what was read of it lies in one folder.
//   - What a script computes, but for its own folder and the top of the repository: a program in a file is read as one on the line is, and names that come out when it runs
//     are not known, nor, in a script that is too long to be judged whole, lines that name no deed (inside.go); nor is a file of more than 64 KiB, or the ninth of a line. And a folder that program text enters
//     and does not name.
package risk
