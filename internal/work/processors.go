package work

import "runtime"

// Processors is how many there are for work that is worth to be shared, which has them from now on: moai begins on one (package solo).
func Processors() int {
	if runtime.GOMAXPROCS(0) == 1 && runtime.NumCPU() > 1 {
		runtime.SetDefaultGOMAXPROCS()
	}
	return runtime.GOMAXPROCS(0)
}
