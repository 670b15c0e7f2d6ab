package risk

import "testing"

// TestNeverSetInScripts: a script that deletes from / where a variable is empty is asked about if nothing in it sets the variable.
func TestNeverSetInScripts(t *testing.T) {
	set := NewSet(builtin(t))
	for _, test := range []struct {
		line, file, text string
		want             Action
	}{
		{"sh x.sh", "x.sh", "ls\nrm -rf $STAGE_DIR/*\n", Ask},
		{"sh x.sh", "x.sh", "set -e\nrm -rf \"${STAGE_DIR}\"/*\n", Ask},
		{"make clean", "Makefile", "clean:\n\trm -rf $$STAGE_DIR/*\n", Ask},
		{"npm run clean", "package.json", "{\"scripts\": {\"clean\": \"rm -rf $STAGE_DIR/*\"}}", Ask},
		// It is set, given, looked at, or the shell stops.
		{"sh x.sh", "x.sh", "set -eu\nrm -rf $STAGE_DIR/*\n", Allow},
		{"sh x.sh", "x.sh", "set -o nounset\nrm -rf $STAGE_DIR/*\n", Allow},
		{"sh x.sh", "x.sh", "#!/bin/bash -eu\nrm -rf $STAGE_DIR/*\n", Allow},
		{"sh x.sh", "x.sh", ". ./env\nrm -rf $STAGE_DIR/*\n", Allow},
		{"sh x.sh", "x.sh", "read -r STAGE_DIR\nrm -rf $STAGE_DIR/*\n", Allow},
		{"sh x.sh", "x.sh", "STAGE_DIR=$(find_it)\nrm -rf $STAGE_DIR/*\n", Allow},
		{"sh x.sh", "x.sh", "[ -n \"$STAGE_DIR\" ] || exit 1\nrm -rf $STAGE_DIR/*\n", Allow},
		{"sh x.sh", "x.sh", ": ${STAGE_DIR:?}\nrm -rf $STAGE_DIR/*\n", Allow},
		{"sh x.sh", "x.sh", "rm -rf $DESTDIR/* $1/* $WORKSPACE/*\n", Allow},
		{"sh x.sh", "x.sh", "rm -rf build/$STAGE_DIR/*\n", Allow},
		{"make clean", "Makefile", "export STAGE_DIR ?= build\nclean:\n\trm -rf $$STAGE_DIR/*\n", Allow},
		{"STAGE_DIR=build sh x.sh", "x.sh", "rm -rf $STAGE_DIR/*\n", Allow},
	} {
		v := judgedAs(set, test.line, test.file, test.text)
		if v.Action != test.want {
			t.Errorf("%s with %q: %v %s, want %v", test.line, test.text, v.Action, v.Reason(), test.want)
		}
	}
}
