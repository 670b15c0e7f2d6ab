package disk

import "time"

// bornTick is how far the time of a new file may lie behind the clock: file systems go by the kernel's ticks.
const bornTick = 20 * time.Millisecond

// Older reports a file that was made before a moment and has no other name. Where there was nothing by its name then, it has been moved here.
// Where the system does not tell when a file was made, none is older.
func Older(path string, moment time.Time) bool {
	born, names, ok := birth(path)
	return ok && names == 1 && born.Add(bornTick).Before(moment)
}

// Born is when a file was made, whatever has been done to it and to its names since; false where the system does not tell.
func Born(path string) (born time.Time, ok bool) {
	born, _, ok = birth(path)
	return born, ok
}
