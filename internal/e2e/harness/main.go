// Command harness runs the real agent client against a scripted model on
// loopback and reports what its hooks were asked and what came of it.
//
// Nothing here imitates the client: it is the shipped binary, and only the model
// behind it is replaced by a script. It is a rig for tests, not part of moai: no
// package imports it and the binary does not contain it. See README.md.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	var err error
	code := 0
	switch os.Args[1] {
	case "run":
		code, err = runMain(os.Args[2:])
	case "serve":
		code, err = serveMain(os.Args[2:])
	case "wrap": // called by the client in place of a hook command
		code, err = wrapMain(os.Args[2:])
	case "mcp": // called by the client as an MCP server
		err = mcpMain(os.Stdin, os.Stdout)
	default:
		usage()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "harness:", err)
		if code == 0 {
			code = 1
		}
	}
	os.Exit(code)
}

func usage() {
	fmt.Fprint(os.Stderr, `usage:
  harness run   -client CLAUDE -scenario FILE [flags]   drive the client, print a report
  harness serve -client CLAUDE -scenario FILE [flags]   prepare all, leave typing to you
  harness run -h                                        list the flags
`)
	os.Exit(64)
}
