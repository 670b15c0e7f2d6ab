package risk

import "testing"

// TestListedHere: what Git ignores is copied where a program lists the folder in which it runs.
func TestListedHere(t *testing.T) {
	set := NewSet(builtin(t))
	for _, test := range []struct {
		line, file, text string
		want             bool
	}{
		{"python3 x.py", "x.py", "from pathlib import Path\nfor p in Path('.').glob('*.json'): p.unlink()\n", true},
		{"python3 x.py", "x.py", "from pathlib import Path\nfor p in Path('.').rglob('*.json'): p.unlink()\n", true},
		{"python3 x.py", "x.py", "from pathlib import Path\nfor p in Path('.').iterdir():\n  if p.suffix == '.json': p.unlink()\n", true},
		{"python3 x.py", "x.py", "from pathlib import Path\nfor p in Path.cwd().glob('*.json'): p.unlink()\n", true},
		{"python3 x.py", "x.py", "import os\nfor p in os.listdir('.'):\n  if p.endswith('.json'): os.remove(p)\n", true},
		{"python3 x.py", "x.py", "import os\nfor p in os.listdir():\n  if p.endswith('.json'): os.remove(p)\n", true},
		{"node x.js", "x.js", "const {readdirSync, unlinkSync} = require('fs')\nreaddirSync('.').filter(f => f.endsWith('.json')).forEach(unlinkSync)\n", true},
		{"node x.js", "x.js", "const {readdirSync, unlinkSync} = require('fs')\nreaddirSync('.').filter(f => f.endsWith('.json')).forEach(f => unlinkSync(f))\n", true},
		{"node x.js", "x.js", "const fs = require('fs')\nfor (const f of fs.readdirSync('.').filter(f => f.endsWith('.json'))) fs.unlinkSync(f)\n", true},
		{"python3 x.py", "x.py", "from pathlib import Path\nfor p in Path('src').iterdir(): p.unlink()\n", false},
		{"python3 x.py", "x.py", "from pathlib import Path\nfor p in Path('.').glob('*.txt'): p.unlink()\n", false},
		{"python3 x.py", "x.py", "from pathlib import Path\nfor p in Path('.').iterdir(): print(p)\n", false},
	} {
		v := judgedAs(set, test.line, test.file, test.text)
		got := false
		for i := range v.Behind {
			got = got || v.Behind[i].Picks("/home/dev/code/app/credentials.json")
		}
		if got != test.want {
			t.Errorf("%q: copies: %t (%v %v %v), want %t", test.text, got, v.Action, v.IDs(), v.Behind, test.want)
		}
	}
}
