// Command moai answers a coding agent's hooks and the same questions from a
// shell. Everything it does is in internal/cli.
package main

import (
	"os"

	"github.com/modu-ai/moai/internal/cli"
)

func main() {
	os.Exit(cli.Main())
}
