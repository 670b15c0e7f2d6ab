// Command moaid has what moai keeps away from an agent's commands: network and database. moai starts it for serve, stats,
// timeline and export. Everything it does is in internal/moaid.
package main

import (
	"os"

	"github.com/modu-ai/moai/internal/moaid"
)

func main() {
	os.Exit(moaid.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
