package work

import (
	"math"
	"sync/atomic"
)

// The accounts of a call, in units of about 50 ns: what each is for, and what follows when it is over, says the package comment.
const (
	// Line is what a command line may cost until it is known what it would run, 1.7 ms
	// worth: 2 ms are asked for, and the last step may be a large one.
	Line = 33_500
	// Judgement is what comparing that with the rules may cost, 3.8 ms worth. A script of 120
	// lines with three commands each takes 72,000 of it (TestLongOrdinaryLines in risk): what
	// people write is to stay below, since above it they are asked.
	Judgement = 76_000
	// Project is what all rules of a project may cost on top, 10 ms worth. They are tried when
	// the verdict stands without them: a clone's rules must not take the work from others.
	Project = 200_000
	// Files is what judging the files may cost that a line runs, twice: to find out what they run, and to compare that, 10 ms worth each. An ordinary
	// script of 64 KiB stays below. What is not reached is run unseen, with the snapshots that everything unseen has.
	Files = 200_000
	// Gist is what those lines of the files may cost on top in which something may be lost, where the whole was too much.
	Gist = 20_000
	// Disk is what may be asked of the disk, 10 ms worth: whether Git holds what is in 700
	// files whose content has to be compared, or in 1,000 others. Past it, rules that need no
	// disk go on.
	Disk = 200_000
)

// What things cost, in units.
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

// Inflate is what unpacking a compressed text comes to that is so many bytes long, its memory included.
func Inflate(size int64) int { return int(min(size, 1<<40)/12) + Look }

// Search is what going through a file of so many bytes costs, of which next to nothing is kept.
func Search(size int64) int { return int(min(size, 1<<40)/150) + Look }

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

// Left is how many units there are still; less than none where a step was too large.
func (a *Account) Left() int {
	if a == nil {
		return math.MaxInt
	}
	return int(a.limit - a.used.Load())
}

// Used is how much was asked for so far.
func (a *Account) Used() int {
	if a == nil {
		return 0
	}
	return int(a.used.Load())
}

// Fits reports whether n units are left, and takes none.
func (a *Account) Fits(n int) bool { return a == nil || a.used.Load()+int64(n) <= a.limit }
