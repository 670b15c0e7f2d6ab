package risk

import "testing"

// TestStatementsOfLibraries: what a program sends to a database, or has run by a library, is judged in whatever words the library has.
func TestStatementsOfLibraries(t *testing.T) {
	set := NewSet(builtin(t))
	for _, test := range []struct {
		line, file, text string
		want             Action
	}{
		{"php x.php", "x.php", "<?php\nmysqli_query($c, \"drop table users\");\n", Ask},
		{"php x.php", "x.php", "<?php\n$c->query('drop table users');\n", Ask},
		{"php x.php", "x.php", "<?php\npg_query($c, 'drop table users');\n", Ask},
		{"php x.php", "x.php", "<?php\nDB::statement('drop table users');\n", Ask},
		{"node x.js", "x.js", "const { rm } = require('shelljs')\nrm('-rf', '/srv/data')\n", Ask},
		{"node x.js", "x.js", "const shell = require('shelljs')\nshell.rm('-rf', '/srv/data')\n", Ask},
		{"node x.js", "x.js", "async function main() {\n  await sql`truncate users`\n}\nmain()\n", Ask},
		{"php x.php", "x.php", "<?php\nmysqli_query($c, 'select * from users');\nDB::statement('analyze users');\nftruncate($f, 0);\n", Allow},
		{"node x.js", "x.js", "const rows = await sql`select * from users`\n", Allow},
	} {
		if v := judgedAs(set, test.line, test.file, test.text); v.Action != test.want {
			t.Errorf("%q: %v %s, want %v", test.text, v.Action, v.Reason(), test.want)
		}
	}
}
