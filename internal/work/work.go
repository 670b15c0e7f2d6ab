// Package work counts what a judgement costs, so that a hook answers in time whatever
// it is asked about and wherever. A command, a repository and the rules in it may all be
// made to take long; a clock would make the verdict depend on how busy the machine is.
//
// Whoever begins a judgement makes an [Account] for each kind of work in it and hands it
// to all who do such work: what one of them uses up, the others do not have. An account
// stops nobody: each asks it before a step, and says what it does not know when there is
// nothing left.
package work

import "sync/atomic"

// Unit is what takes about 50 ns. The costs below are in units.
const (
	// Look is a question about one path of ordinary length; [Path] adds for longer ones.
	Look = 30
	// Entry is a tracked file that a status looks at.
	Entry = 30
	// Folder is a folder that is opened and listed, without its names.
	Folder = 150
	// Name is a name in a folder that is listed.
	Name = 4
)

// Path is what a question about a path costs: the kernel goes through its parts.
func Path(path string) int { return Look + len(path)/4 + max(0, len(path)-2*ordinary)/2 }

// ordinary is a path's length in bytes.
const ordinary = 64

// Hash is what naming so many bytes costs, reading them included.
func Hash(size int64) int { return int(min(size, 1<<40)/24) + Look }

// Read is what reading and decoding a file of so many bytes costs.
func Read(size int64) int { return int(min(size, 1<<40)/100) + Look }

// Account is a number of units that may be used up. The nil account has no end, for
// those whom nobody waits for. It may be used by several goroutines.
type Account struct {
	used  atomic.Int64
	limit int64
}

// New returns an account of so many units.
func New(units int) *Account { return &Account{limit: int64(units)} }

// Take charges n units and reports whether there was enough for them. What does not fit
// ends the account: a smaller step after it would be no cheaper way to the same end.
func (a *Account) Take(n int) bool {
	return a == nil || a.used.Add(int64(n)) <= a.limit
}

// Over reports that more was asked for than there is.
func (a *Account) Over() bool { return a != nil && a.used.Load() > a.limit }

// Used is how much was asked for so far.
func (a *Account) Used() int {
	if a == nil {
		return 0
	}
	return int(a.used.Load())
}

// Fits reports whether n units are left, and takes none.
func (a *Account) Fits(n int) bool { return a == nil || a.used.Load()+int64(n) <= a.limit }
