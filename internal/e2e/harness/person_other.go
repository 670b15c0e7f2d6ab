//go:build !linux

package main

import "os/exec"

// seat leaves a command in the terminal of whoever runs the harness.
func seat(*exec.Cmd) (leave func(), err error) { return func() {}, nil }
