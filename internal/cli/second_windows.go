package cli

import (
	"os"
	"os/signal"
)

// become runs another program and ends as it does: Windows cannot replace a process.
func become(program string, argv []string) error {
	signal.Ignore(os.Interrupt) // it gets the same, and ends by it
	p, err := os.StartProcess(program, argv, &os.ProcAttr{Env: os.Environ(), Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		return err
	}
	end, err := p.Wait()
	if err != nil {
		return err
	}
	return exitCode(end.ExitCode())
}
