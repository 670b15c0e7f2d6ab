// Package repo reads Git repositories: discovery, configuration, HEAD and
// references, the index, ignore rules and attributes, and the status of the
// working tree.
//
// It is not a Git implementation for writing: it never touches the index, HEAD,
// the working tree or a user's reference while it reads, and it never starts a
// process. Objects are read by object.go and pack*.go; references are written by
// ref_write*.go with Git's own lock protocol.
//
// Invariant: an answer is either what `git` of the same repository would say, or
// it is refused in one line (*Declined), or it is marked as partial or
// approximate. Repositories are hostile input: every size is checked before it is
// used, and nothing outside the working tree is read through it.
//
// # What it costs
//
//   - Status is one lstat for each tracked file once the directory cache knows the folders, and that is its floor: a
//     bare loop of those calls takes 0.27 of git's time, on two threads that have a processor each. They have to be
//     put there: left alone, Linux often keeps both on one for as long as a status takes (processor_linux.go).
//     io_uring is no way below the floor: the kernel hands every statx to a thread of its own, and batches of 256 took
//     1.8 × as long as plain calls on one thread and 1.4 × on two (67,000 files, Linux 6.18). Nor is decoding the two
//     halves of the index at once: waking the other thread costs what it saves.
//   - How fast a status is to be: not slower than a throwaway prototype in the same run, about half of git's time and
//     less with the directory cache (`MOAI_PROTOTYPES=… .ci/bench git`); that holds on any machine.
//   - New memory: page faults cost most where two threads have them at once, on a virtual machine above all. Two
//     compressors with a history of their own took 3.1 ms for forty small objects, one 2.0, and two without a history,
//     which compress as fast, 1.4 (object_zlib.go). Another thread is woken for work that lasts longer than waking it
//     (Parallel). Folders are not waited for, as in git. Asking for all of the heap at once was tried: it takes as
//     long as the faults do.
//   - Line ends make a checkpoint ask for the size of every tracked file's blob, and a loose one has to be opened for
//     it. Those sizes are remembered beside the directory cache (`dircache/KEY.sizes` of the state folder,
//     loosesize.go): a name stands for its content. The object's file is still looked at each time, so that one that
//     is gone or cut short is stored anew.
//   - Files whose times alone have changed are read once (`dircache/KEY.files`, filehash.go; Linux, local disks, 4,000
//     files and more): Git would write the new times into the index, which is not moai's to do. Size, times, inode and
//     device have to be the same; a change time cannot be set back. Repositories inside past the eighth with changes
//     are looked at only until they show a change.
//   - One path of the index needs no list of its entries (indexlook.go): the file goes through a window of 128 KiB,
//     where the decoder checks every entry, and what it asks for is kept. So a file that is damaged anywhere is
//     refused, as by the whole; the checksum at the end is believed by both, as by Git. A split index, and the third
//     path (Lookup), are decoded as a whole.
//   - go-git is not linked: its types, configuration parser and pack reader, never called, take the start of an empty
//     program from 0.95 to 1.36 ms, for parts that this package has to do itself anyway, with bounds on hostile input.
//     It reads our objects back in the tests.
//
// # What it promises
//
//   - Locks are git's own, `name.lock`. Those that others may want, too (index, HEAD, branches, packed references),
//     carry a mark, and the kernel holds them for their process: what a killed moai left is given up by the next one, or, where the kernel
//     cannot tell, after 30 seconds, what git left never, but for locks below
//     refs/moai, which git holds for moments: these go after ten minutes (lockleft.go). A new checkpoint's own
//     reference has a name that never comes again: its lock stays till `moai checkpoint prune` an hour later and holds
//     nothing up.
//   - What only the index holds – staged, and changed or deleted since – is looked for among the staged files alone
//     (stagedonly.go), and gets a snapshot before `git reset`, `restore --staged`, `rm --cached -f`, `read-tree` and
//     `update-index` drop it. `git add` and `git commit -a` get one where a staged file is gone from its folder, and
//     are left alone else: the newer version that they stage is the person's file, and asking for each would be noise.
//     For files that the line names and that are there, HEAD need not be asked.
//   - Same or not is asked of what Git would store, where it converts a file (stores.go). A snapshot also looks into
//     files whose change time alone has moved, which `core.trustctime` and `core.checkStat` hide from Git: 2,000 and
//     64 MiB at most, since such settings are there for disks on which all files look so.
//   - Bounds that are not about time: settings of 2 MiB, 25,000 variables and 500 files, 100 folders of objects, 1,000
//     work trees. A repository is opened before anybody counts, also by verbs.
package repo
