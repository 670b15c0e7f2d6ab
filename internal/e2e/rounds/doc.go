// Package rounds loses work at random, and holds moai to what it said before: each round makes a repository of some kind with real git,
// puts unsaved work into it, asks the hook about a destructive line, runs that line, follows the way back word by word from the folder in
// which it was printed, and compares files, folders, links, modes, index, references, HEAD, stash, operations under way and settings.
//
// It holds tests only. MOAI_ROUNDS says how many rounds (25 without it), MOAI_ROUNDS_SEED the first seed, MOAI_ROUNDS_KIND plays one
// kind alone, and MOAI_ROUNDS_BIN names another binary than the tested code, such as an older one. A failure prints the line that makes
// it again.
package rounds
