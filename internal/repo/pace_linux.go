package repo

import "syscall"

// pace knows whether a walk waits for a disk. Time alone does not tell that from a machine where others want the
// processor.
type pace struct {
	local bool  // the kernel counts what comes from its own disks
	read  int64 // blocks that the process had read from disks when the walk began
}

func newPace(root folder) pace { return pace{root.Local(), blocksRead()} }

// counted says whether waited knows.
func (p *pace) counted() bool { return p.local }

// waited says whether the walk has waited for a disk.
func (p *pace) waited() bool { return !p.local || blocksRead() >= p.read+minBlocks }

// minBlocks are a few blocks of directories and inodes, in the sectors that the kernel counts.
const minBlocks = 4 * 8

func blocksRead() int64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return int64(u.Inblock)
}
