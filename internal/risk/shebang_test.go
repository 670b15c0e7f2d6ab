package risk

import "testing"

// TestShebangsAreCommandLines: the first line of a file is a command line with the file behind it, as the kernel has it.
func TestShebangsAreCommandLines(t *testing.T) {
	set := NewSet(builtin(t))
	for _, test := range []struct {
		text string
		want Action
	}{
		{"#!/usr/bin/make -f\nall:\n\trm -rf ~/x\n", Ask},
		{"#!/usr/bin/awk -f\nBEGIN { system(\"rm -rf ~/x\") }\n", Ask},
		{"#!/usr/bin/env -S uv run --script\nimport shutil\nshutil.rmtree('/srv/data')\n", Ask},
		{"#!/usr/bin/env -S python3 -u\nimport shutil\nshutil.rmtree('/srv/data')\n", Ask},
		{"#!/usr/bin/env -S psql -f\ndrop table users;\n", Ask},
		{"#!/usr/bin/env -S just -f\nall:\n    rm -rf ~/x\n", Ask},
		{"#!/usr/bin/sed -nf\n1e rm -rf ~/x\n", Ask},
		{"#!/usr/bin/make -f\nall:\n\tls\nclean:\n\trm -rf ~/x\n", Allow},
		{"#!/usr/bin/env -S bash -e\nls\n", Allow},
		{"#!/home/dev/code/app/run\nls\n", Allow},
	} {
		if v := judgedAs(set, "./run", "run", test.text); v.Action != test.want {
			t.Errorf("%q: %v %s, want %v", test.text, v.Action, v.Reason(), test.want)
		}
	}
}
