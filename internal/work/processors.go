package work

import "runtime"

// Processors lets work use all processors from now on, and returns how many there are. moai begins on one (package solo).
func Processors() int {
	if runtime.GOMAXPROCS(0) == 1 && runtime.NumCPU() > 1 {
		runtime.SetDefaultGOMAXPROCS()
	}
	return runtime.GOMAXPROCS(0)
}
