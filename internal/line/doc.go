// Package line is the status line: what is known of a session, in short segments that fit into the columns that there are.
//
// It finds nothing out: callers bring Facts. Its invariants: a line is one line and never wider than it may be; what strangers
// named shows as text; a segment without anything to say is not there; and what matters least goes first where there is no room.
//
// # How it comes to a screen
//
// The client runs `moai statusline` for every change on its screen (it waits 300 ms first) and, as registered, every
// five seconds, ends one that is late, and shows nothing then. So cli/statusline.go takes the short way past the
// command tree, as `hook` does, and reads standard input, the configuration (a guard that was switched off a second ago
// shows), HEAD, the records of sessions, and what a status found last (repo.Kept). It starts nothing, waits for
// nobody's lock and asks no file of the project anything. Whether the client calls moai it asks where the
// client's files are not those that a hook of the session saw last (handle.Left). After 100 ms a timer prints the last
// line of the session again, which is kept beside the others (state/line). Of the columns that the client names it
// shows four less.
//
// What has changed in the work tree is found out by hooks: when a session begins, and, where somebody looks at a line
// (its last one is younger than ten minutes), after tools that write, before a prompt and at the end of a turn, no more
// often than takes a twentieth of the time (handle/status.go). `~3 changed` says that HEAD, the index or the session's
// own writes have moved since, or five minutes have passed.
//
// `subagentStatusLine` is called by client 2.1.329, but deprecated there: it warns on the screen as soon as it is set,
// and will stop working. So moai does not register it.
package line
