package main

import (
	"os"
	"strings"
	"testing"
)

// TestReadmeKnowsTheAgents: the README's tables of agents are those that the rules make.
func TestReadmeKnowsTheAgents(t *testing.T) {
	page, err := os.ReadFile("../generated/clients/AGENTS.md")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(page)) {
		if (strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "* ")) && !strings.Contains(string(readme), line) {
			t.Errorf("README.md has no line\n%s", line)
		}
	}
}
