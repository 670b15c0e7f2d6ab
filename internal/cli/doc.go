// Package cli is moai's command line: one file per verb, and the one place
// where engines meet their generated tables.
//
// It decides nothing about risks, languages or Git. Its invariants: stdout is
// the result and stderr is talk, and the process ends only through Main's
// return value (0 done, 1 the answer is no, 2 usage, 3 moai failed).
//
// # What a call costs
//
// `.ci/bench hook` times a whole `moai hook pre-tool` beside an empty Go program; what raises that has to be worth it.
// A third of a harmless call is the empty program. The rest, measured by taking parts away one after another: the work
// itself a fifth; cobra, pflag and what they import, linked and not called, 4.5 %; the printer of mvdan.cc/sh, which
// compiles two regular expressions at start and is never called, 4 to 7 % (the parser is imported as everybody does);
// initialisers of klauspost/compress and hash/crc32 2.6 % (the standard library's compression takes 1.7 times as long,
// which checkpoints pay for); watchdogs of the input and of the handlers 2.5 %, without a goroutine of the handlers' own, which
// was 2 to 4 % of an edit; the collector's map of the tables,
// as they are readable Go, 7 % before most lists of rules became one text each ([rule.Texts]), which took two fifths of the
// map's instructions away. Without all of that it would still be one and a half times an empty program.
//
// What counts more than any of them is how the file lies in memory: as the linker writes it, a call takes a third longer
// than as `make build` copies it in one write, and as cp does a tenth, on Linux and ext4, as long as the kernel keeps it:
// read from disk again, all three are alike. One program copied twice differs by up to a third, by how the kernel laid
// its pages: compare several copies of each.
//
// `.ci/bench count` tells what a busy machine does not change: instructions, system calls and page faults of one call of
// each kind. Instructions alone mislead: when half of those of a harmless call made the collector's map, that was 7 % of
// its time.
// The edit of a file writes two small files and a line of the journal: 65 microseconds each for the files (ext4, busy
// machine), and 2 for each look at a path; a third file was 3 to 6 % of the call. A command that may write takes a status
// before it runs and one behind it, and the end of a turn takes one, each for verification and undo together (strace: the
// index is read once, the tree walked once); a test or a build takes one more each time, for its receipt. `.ci/bench
// verify` times them, beside what each may cost. Where no snapshot is taken, a line is judged once more if files that it
// runs may have more to say then; where that was done for every line that runs files, it was a tenth of the call.
//
// Of an edit's 308 page faults, with the file as `make build` leaves it, 174 are the empty program's. Begun on one
// processor (package solo) it has 25 to 35 fewer than when main gave the other one back, and takes 4 to 5 % less time; where
// a status is shared by two it is as quick as before. Of its time (samples of the processor's clock, a busy machine) a third
// is the work itself, a third of that system calls for files; 10 % are initialisers of what is linked: the local time zone that
// BurntSushi/toml asks for 2 %, mvdan.cc/sh 1.6 %, klauspost/compress 1 %, net by way of pflag 1 %, go/parser 0.6 %; 4 % is
// the collector's map, the languages' part not quite half of it, and 2 % the runtime's table of interfaces. With Go's older
// collector (GOEXPERIMENT=nogreenteagc) it would have 14 to 20 faults fewer and take 1 to 2 % less, but that choice goes with
// a next version of Go.
//
// Nothing linked may look for methods by name (text/template does, and cobra's templates): the linker keeps every
// exported method then, 2 MB of them. net/http costs half an empty process. Tests hold both out.
package cli
