// Package port keeps the units of work of a project: what is to be done, what waits for what, who is at it, and what came of it.
//
// A port is one small file of front matter and text, in the state folder by the folder that all work trees of a repository share, or,
// where a project wants to share them, in its tree (.moai/ports), where Git merges them. Who runs a port is no part of it: that is a
// claim, a file of its own in the state folder, made by exactly one session, and so is what is found out about the work. So what a
// clone brings says what is to be done, and never who does it.
//
// Its invariants:
//   - A port runs as long as the session that claimed it is at work. There is no lease to renew: the record of a session says when it
//     was seen last, every hook call sees to that, and whose session was silent for too long, has ended or is dead holds nothing.
//   - Two sessions never hold one port, whatever else fails.
//   - What waits for what is never a circle that was made here; one that a merge has made is named, and waits.
//   - A file that cannot be read is named with its line and left as it is. What is unknown in one that can be read stays.
//   - Ready is a question, asked of what is there, and no state that somebody has to keep.
//
// # How
//
//   - A port's file (keys sorted) is written by its lines: what moai does not know stays. Short ids are made by
//     chance: counting up makes the same ones in two clones.
//   - A claim is a file that one process makes (O_EXCL), beside the work that sessions did, and never in a tree.
//   - A claim holds while the record of its session was touched within 15 minutes, or while its client's process is in
//     the middle of a turn. Nobody takes a lapsed claim away: it is gone when another session takes the port, which is
//     said, and until then its session goes on as if nothing had been.
//   - Ready is what is pending and nobody runs, and of which what it needs, and what its parent waits for, is over.
//   - After a clear or a resume the new session takes up the claim of the work tree and branch, of the session that it
//     comes from first.
//   - Edits that belong to no port: handle/tracking.go asks `risk.Writes` which tools write and `risk.Edited` which
//     files a command line writes by its own words. What builds, formatters and scripts change is known afterwards, by
//     the pictures of `verify`, and told then. In a project without ports, and with `tracking.mode` at `auto`, it
//     costs one look at the folder of all ports, before tools that write; other tools cost nothing.
//   - What came of a port is read together at its end (`handle/proof.go`): time and turns from the claims, files and
//     looks from `verify`, tests from the session's record, snapshots from the journal, commits from Git.
package port
