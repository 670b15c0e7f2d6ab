// A hook lives for milliseconds: nobody needs the number of CPUs to be followed
// while it runs, and the watcher for that costs 2 % of a call (measured).
//
//go:debug updatemaxprocs=0

// Command moai answers a coding agent's hooks and the same questions from a
// shell. Everything it does is in internal/cli.
package main

import (
	"os"

	"github.com/modu-ai/moai/internal/cli"
	_ "github.com/modu-ai/moai/internal/solo"
)

func main() {
	os.Exit(cli.Main())
}
