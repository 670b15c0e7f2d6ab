// Package lang says which programming languages a project is written in, in
// which versions, and with which tools it is built, formatted and tested.
//
// It is not a syntax highlighter and runs no tool: everything comes from names,
// sizes, a few kilobytes of the files whose name leaves a doubt, and the fields
// of manifests. What it knows of languages is data (rules/languages) that the
// caller hands in as a *Table.
//
// # Use
//
// Detect answers for a folder; the table of the rules is generated:
//
//	r, err := lang.Detect(ctx, &languages.Table, dir, lang.Options{Cache: cacheDir})
//	fmt.Println(r.Title()) // "Go ≥ 1.26", or "Unknown Language"
//
// With a Cache a repeated question costs a few stats and one small read. Classify
// is for one file whose start is at hand, PathKind for a path alone.
//
// # How an answer comes about
//
// The Git index gives paths and sizes (feed.go, stream.go), or a walk
// does, or a commit's objects (tree.go). A scan (scan.go) counts each file by its name, path and attributes; what
// is in doubt is opened by workers (settle.go), of many alike only a part. Then
// manifests are read (folder.go, field.go, line.go) and the primary language is
// chosen (choose.go): bytes decide, a manifest says how sure that is.
//
// What a user adds (own.go, with.go) stands before the table; it is compiled from
// TOML by queries and kept for hooks.
//
// Invariant: every claim in a Report names its evidence, a version is one that a
// file states, and a hostile tree (links out of it, FIFOs, endless files, a
// damaged index) costs bounded time and memory.
//
// # What it costs
//
// `.ci/bench detect` times `moai detect --fresh` beside an empty Go program. Most of it for many files are names: which
// folder, which extension, what the lists of paths say (40 ns a file); then the start of the process, and the index,
// mapped, gone through and given back. Folders are listed as well, since what Git does not track counts, too. A program
// that only reads an index and adds up sizes by extension takes 1.8 times an empty one for 15,000 files, and 3.6 for
// 67,000: it knows no vendored, generated or documentation folders, no names that mean something by themselves and no
// manifests.
//
// Tried without gain: the second half of the index on another processor (twice; waking it and joining folders cost what
// it saved, more where names leave doubts), profile-guided compilation, all that an ordinary name needs in one function
// that calls nothing (600 of 750 instructions a file are that, and as many were left), a sieve of their own for README and
// its like (4 % of names looked at closely, then 3 %), and a larger buffer for listings (16 of 400 page faults fewer, no
// time). What helped: a few bits that tell ordinary names (odd.go), and records only of folders that somebody asks for.
package lang
