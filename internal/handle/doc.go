// Package handle is what moai does about each hook event, one file for each
// group of events: engines are asked, and their findings become a hook.Answer.
//
// It is no engine and knows no JSON: judging is package risk's, snapshots are
// package checkpoint's, bytes are package wire's. Its invariant: a handler never
// makes a session worse. What it cannot find out it leaves out, and only the
// guard ever holds anything up.
//
// # Notes
//
//   - Write and Edit get a snapshot where the file holds what neither Git, nor the session's last snapshot, nor the
//     session's own tools put there (wrote.go: a hash of each file as a tool left it). Somebody else's program that
//     formats the file behind the tool makes it somebody else's file: that costs a snapshot.
//   - An event that takes longer than its soft budget is an entry `hook_slow` of the journal, with the part that took
//     longest, and a line of MOAI_LOG=info; the person at work is not told. `moai doctor` counts these entries, and
//     `hook_failed`: handlers that failed or did not come to an end, input that could not be read, panics.
//   - An edit that fails is refused by clients of today before any hook of that call runs: it is told of by
//     PostToolBatch, one process for each answer with calls, whose only handler it is.
//   - Settings that would take the guard out of later sessions come in more ways than a line tells: so each call,
//     prompt and end of a turn looks whether the client's files are still those that the session saw last (looked.go:
//     three looks and one small file read), and says once what the guard would lose. A process of its own after every
//     call is not worth that.
package handle
