// Package session knows the sessions of coding agents on this machine: who each one is, where it works, in which terminal,
// from which other it comes, and in which turn it is.
//
// A session is one small file in the state folder, named by the id that its client gave it. Hooks write it, everything
// else reads it. It is not the memory of what the model was told (package handle) and not the history (package journal).
// Its invariants: who a session is stays as it was found when it began, wherever it goes; a reader sees a whole record;
// and no process that is gone holds anything up.
//
// # How
//
//   - The identity is found out once, with its first hook: the client's process (a variable that names one above,
//     else an agent's program above), that process's terminal and start. The fingerprint is a hash of project,
//     terminal, process and start; it changes only when the session is resumed by another process, which is noted.
//     `seat` reads /proc, sysctl or toolhelp and starts nothing.
//   - A turn begins with a prompt that a person sent and ends as `rules/events/_turns.toml` says, with the next prompt
//     or with the session. Prompted alone decides it; handlers ask `Handlers.who`.
//   - One write a call. Handlers say what is new (`Handlers.learn`), the last one (`identity`) writes it under the
//     session's lock. Before a harmless call nothing is read: its session's file is looked at, and gets a new time
//     once a minute. So the time of the file is when the session was seen last. While it waits for an answer (`Asks`), its file has a
//     time from before that, so that the next call looks whether it goes on.
//   - Sessions that ended lie in a folder of their own: whoever asks for the others reads those alone. What is asked
//     about the last ten minutes reads only files of that time.
//   - Whose process is gone is told by id and start time, on this machine only. Where that cannot be told, a day of
//     silence counts.
package session
