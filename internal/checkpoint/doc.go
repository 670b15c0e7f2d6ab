// Package checkpoint takes snapshots of a working tree and brings them back.
//
// A checkpoint is an ordinary commit that no branch of the user holds: its tree is the working tree as it is, with changed,
// deleted and untracked files, its first parent is HEAD, and where the index holds something else a second parent keeps that.
// The bytes on disk are stored, not what git's filters would make of them, so that a restore gives back what was there.
// Everything about a checkpoint stands in its commit message; the references are the list; .moai/checkpoints.log is a history
// for people.
//
// It is not a backup: ignored files are left out unless they are put into the vault, repositories inside get checkpoints of their
// own, in themselves, and whatever was skipped is named. Empty folders and the modes of folders stand in the message.
//
// Invariant: taking a checkpoint changes nothing that git shows – not HEAD, not the index, not the stash, not the working tree –
// and a restore never overwrites a byte that is not in a checkpoint taken first.
//
// # Taking one
//
//   - A checkpoint is safe when its reference is: objects and reference locks are written first, wait for the disk
//     together, and are renamed in that order.
//   - A gc beside it keeps what is new by its age, but for `git gc --prune=now`, which takes what no reference named
//     when it looked. So once the reference is there, a gc that runs is waited for with half of the time that is left,
//     every object is looked for once more, and where one is gone the checkpoint is taken again.
//   - Permissions that Git has no place for (a key with 0600) are kept of every file, changed or not: the look that a
//     status takes at each file sees them, so they cost nothing. The message of a checkpoint holds what most files
//     have, and names the others, up to 1,000.
//   - Folders: the same walk sees which are empty and what modes they have. The message names the empty ones and the
//     modes that are not the most frequent one, 1,000 of each at most; folders.go makes them again after the files,
//     and gives modes from the deepest folder up. Those that Git ignores are in the vault's list, as far as it was
//     asked for them.
//   - What a checkpoint leaves out (by its limits) is named in it. Package handle tells it what is in danger; where
//     the two meet, the call is asked about as if no snapshot had been possible (`guard.no_checkpoint`). A checkpoint
//     is reused only where it leaves out the same; the answer says "unchanged since", and the use is a line of the log
//     (`"reused":true`).
//   - Operations under way are files of the work tree's own Git folder; repo.StateNames lists them. A checkpoint holds
//     their contents in a second commit, whose parents are the commits that they name, so that nothing of them is
//     collected. A restore writes back those names and no others, a folder with one rename, and what says that
//     something waits last: git sees no half of an operation. What is no plain file, has no safe name or is over 4,000
//     files, 16 MiB for one or 64 MiB for all is named, and then none of it is kept (underway.go,
//     restore_underway.go). Export holds files of the work tree only, and nothing of this.
//   - Settings that a command takes along (`[branch "x"]`, `[remote "x"]`) lie in the vault, as Git's own file said
//     them: an address can hold a password, and a commit from elsewhere must not say what gets into a file that names
//     programs. A restore sets the variables of `[[settings]]` (git.toml), under `config.lock`, and leaves every other
//     byte (repo/configedit.go).
//   - Repositories inside (submodules, nested clones) are kept as the commit they stand on. Where one has changes of
//     its own, it gets a checkpoint in itself first, which the outer one names (`Moai-Inside`); a restore writes in
//     its own repository only and prints the command that brings the inner one back. Where a call moves submodules
//     along (`--recurse-submodules`), those without changes get one, too, for where HEAD and its branch stand.
//   - Before commits that are not here yet come in (`git pull`), what Git ignores in the top three levels of the work tree
//     (`.env`, `apps/web/.env`) and no build makes again is copied, and all that lies deeper in folders that Git ignores: a
//     file that comes in the place of such a folder takes it. Deeper down in others lies what programs write, and the walk
//     would cost every pull. Where a checkpoint of the last twelve hours has the same files in its vault, none is
//     taken (copied.go, handle/unseen.go).
//   - A checkpoint that keeps references names where the HEADs of the other work trees stood, that of a bare repository too
//     (`Moai-Tree`): a rename moves them with their branch. A restore puts one back where the log of that HEAD has no checkout and no
//     commit since; the files of that work tree are then those of the old commit (tree_heads.go). Steps of timelines do not
//     have them.
//
// # Branches of checkpoints
//
//   - A branch can be published, so it is a commit of its own: its only parent is HEAD, its message is program and
//     operation. A path whose name or content may hold a secret, or whose content was not read, is in it as HEAD
//     has it. A copy counts as what it is a copy of, and in settings and notes, which are no program text, any word
//     behind the name of a secret is one, be it lines or tags away (secret/wrapped.go). The hidden reference has
//     everything. Three branches stay. HEAD as a parent keeps it reachable though somebody takes it back because of a
//     secret: so commits that no remote has seen are looked into first (64 commits, 1 MiB; without any remote the
//     newest ones), and where one may hold a secret there is no branch (undone.go).
//
// # Restore, and how long they stay
//
//   - What a restore makes where nothing was (references, stash entries, files from the vault, empty folders) is named
//     in the checkpoint that is taken before it (brings.go): that one holds nothing of it, and yet takes it away
//     again, as far as it is still what came.
//   - What the vault has comes back also where a file stands now in place of a folder above it, or a folder in its place, as far as
//     the checkpoint that is taken first holds these; else the restore names what is in the way.
//   - Retention is by age and content (retention.go): nothing of the last day goes for its number or size. The first
//     checkpoint of an hour looks for what has got too old, so that hundreds of checkpoints cost the others nothing.
//     What went is a line of `.moai/checkpoints.log`, with the reason.
//
// # Timelines of turns
//
// What package undo reads.
//
//   - The timeline of a work tree is one reference (`refs/moai/turns/main`, `refs/moai/turns/trees/NAME`): a chain of
//     small commits, each with a snapshot among its parents (timeline.go). A snapshot is a commit like that of a
//     checkpoint, which also names a commit that says where branches and stash entries stood; steps between which
//     nothing has changed share it, and where the tree is as the last step has it, none is added. ThinOut links what
//     the retention keeps anew, with the first turn that ends in an hour. A step that could not be taken in time is a
//     step that says so.
//   - A folder outside Git has a shadow (shadow.go, repo/shadow.go): a Git folder below the state folder with another
//     work tree, and the same engine. Its index is what the last snapshot has seen of each file, so that only what
//     changed is read; a snapshot of it has no index and no HEAD. What builds make again and credentials are lines of
//     its `info/exclude`, made from the tables. `cli.openAny` and `handle.workTree` find it where `repo.Open` finds
//     nothing.
//   - Packs (pack.go): at the end of a turn, where a glance says that a thousand objects lie in files of their own,
//     moai's go into one pack. What nothing refers to is Git's to delete; of a shadow `Tidy` does, where it is an hour
//     old.
package checkpoint
