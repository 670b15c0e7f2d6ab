// Package agents drives the agents beside Claude Code, the real ones, offline, with a scripted model (make e2e-agents): what moai says to each must stop, snapshot and tell
// what it is meant to. It holds tests alone.
package agents
