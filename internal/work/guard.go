package work

import "fmt"

// Guard runs f and makes an error of a panic: one in a goroutine of its own would end the whole process, with the exit
// code that tells a coding agent to refuse its tool.
func Guard(f func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("a fault in moai: %v", v)
		}
	}()
	f()
	return nil
}
