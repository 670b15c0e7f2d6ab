package shell

import "testing"

// TestStays: a program that changes its arguments, or its environment, is judged as if the line decided nothing.
func TestStays(t *testing.T) {
	const (
		python = "import argparse, os, sys\n"
		dry    = "if '--dry' in sys.argv:\n    print(1)\nelse:\n    os.remove('/x')\n"
		dryEnv = "if os.environ.get('DRY'):\n    print(1)\nelse:\n    os.remove('/x')\n"
		node   = "const fs = require('fs')\n"
		dryJS  = "if (process.argv.includes('--dry')) {\n  console.log(1)\n} else {\n  fs.rmSync('/x')\n}\n"
		envJS  = "if (process.env.DRY) {\n  console.log(1)\n} else {\n  fs.rmSync('/x')\n}\n"
		golang = "package main\n\nfunc main() {\n\ta := flag.Bool(\"apply\", false, \"\")\n"
		dryGo  = "\tflag.Parse()\n\tif *a {\n\t\tos.Remove(\"/x\")\n\t}\n}\n"
	)
	for _, test := range []struct {
		line, file, head, tail string
		reads, changes         []string
	}{
		{
			"python3 a.py --dry", "a.py", python, dry,
			[]string{"", "print(len(sys.argv))\n", "for a in sys.argv:\n    print(a)\n", "name = sys.argv[0]\n", "rest = sys.argv[1:]\nprint(rest[0])\n"},
			[]string{
				"sys.argv = ['x']\n", "sys.argv.remove('--dry')\n", "sys.argv[1:] = []\n", "del sys.argv[1]\n", "sys.argv.clear()\n", "v = sys.argv\nv.pop()\n", "f(sys.argv)\n",
				"sys.argv += ['']\n", "sys.argv, b = [], 1\n", "from sys import argv\nargv.clear()\n", "getattr(sys, 'argv').clear()\n", "sys.__dict__['argv'] = []\n", "setattr(sys, 'argv', [])\n",
			},
		},
		{
			"DRY=1 python3 a.py", "a.py", python, dryEnv,
			[]string{"", "print(os.environ.get('B'))\n", "os.environ['B'] = 'x'\n"},
			[]string{"os.environ.update(DRY='')\n", "os.environ.clear()\n", "os.environ = {}\n", "e = os.environ\ne.clear()\n", "os.environ.pop('DRY')\n", "os.environ['D' + 'RY'] = ''\n", "del os.environ['DRY']\n"},
		},
		{
			"python3 a.py --help", "a.py", python, "a = argparse.ArgumentParser().parse_args()\nos.remove('/x')\n",
			[]string{""},
			[]string{"sys.argv = ['x']\n"},
		},
		{
			"node a.js --dry", "a.js", node, dryJS,
			[]string{"", "console.log(process.argv.length)\n", "const rest = process.argv.slice(2)\n"},
			[]string{"process.argv.pop()\n", "process.argv.length = 0\n", "process.argv = []\n", "process.argv.splice(2)\n", "const a = process.argv; a.pop()\n", "process.argv[2] = ''\n", "process['argv'] = []\n", "delete process.argv[2]\n"},
		},
		{
			"DRY=1 node a.js", "a.js", node, envJS,
			[]string{"", "console.log(process.env.B)\n"},
			[]string{"process.env = {}\n", "delete process.env.DRY\n", "process.env.DRY = ''\n", "const e = process.env; e.DRY = ''\n", "Object.assign(process.env, {DRY: ''})\n"},
		},
		{
			"go run a.go", "a.go", golang, dryGo,
			[]string{""},
			[]string{"\tos.Args = append(os.Args, \"-apply\")\n", "\tflag.Set(\"apply\", \"true\")\n"},
		},
	} {
		judge := func(with string) int {
			return len(deletes(looked(t, test.line, map[string]string{test.file: test.head + with + test.tail})))
		}
		for _, with := range test.reads {
			if got := judge(with); got != 0 {
				t.Errorf("%s with %q: %d files are deleted, want none", test.line, with, got)
			}
		}
		for _, with := range test.changes {
			if got := judge(with); got != 1 {
				t.Errorf("%s with %q: %d files are deleted, want 1", test.line, with, got)
			}
		}
	}
}
