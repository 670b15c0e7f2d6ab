// Package format finds the one formatter that a project uses for a file, and runs it on the text of that file.
//
// It writes nothing: what comes out is the caller's to judge. Its invariant: one formatter a file or none, and none that the project's own files do not
// speak of.
//
// # A run
//
// Formatters (handle/format.go) and what handle/runs.go runs are the only programs that a hook starts, and only where
// the user's own settings say so (`quality.format`, `quality.check`, `quality.commit_run`). Off, it costs one look at a
// setting. A formatter gets the text on standard input and gives it back, or, where it can only write files, gets a copy in
// a folder that is thrown away; moai writes (handle/rewrite.go), so that no
// formatter has to be believed with the file: a new file with the same permissions and owner takes the place of the old
// one, and only while that is the one that was read (the last comparison comes after the two have changed places, on
// Linux).
//
// Where the file is another one after the run, nobody can tell a formatter that writes from a person who saves: it
// stays, a copy of what was read is kept in the state folder for 14 days, and the formatter is off for the session.
// Only a file that is gone comes back. A formatter has three seconds for a file, a group of its own that is ended as a
// whole (on Linux together with children that left the group; see package child). It may print at most four times the
// size of the file. At a turn's end all files share one time limit: a formatter that is cut off only because other files
// used it up is not blamed, and stays on.
//
// It comes before the handlers that note what a tool wrote, so that its change is the tool's own: no look of a verifier
// is lost by it. The committed version is formatted as well, at the same time and once for each content, and where that
// changes, the file is left alone. What takes imports out, which an edit in two steps needs, or mends what a linter finds, runs at the end
// of a turn alone (handle/tidy.go), before the checks; the formatter has the last word, and looks at the file as it was
// count for it as it is.
//
// # Choosing
//
// Choose decides; TestProjects has some eighty projects of more than twenty languages, most of them public, by what their files say, with stand-ins for the programs. An entry of pre-commit
// that leaves the file out is a word against it.
package format
