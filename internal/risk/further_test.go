package risk

import (
	"strings"
	"testing"
)

// judgedWith judges a line in a project that has more files, by their names.
func judgedWith(set *Set, line string, files map[string]string) Verdict {
	in := World()
	in.Command = line
	in.Source = func(path string) (string, bool) {
		text, ok := files[strings.TrimPrefix(path, in.Root+"/")]
		return text, ok
	}
	return set.Check(&in)
}

// TestFilesThatFilesRead: statements two files away are judged as on the line, and so is the last script of a chain.
func TestFilesThatFilesRead(t *testing.T) {
	set := NewSet(builtin(t))
	files := map[string]string{
		"x.sql": "drop table t;\n", "ok.sql": "select 1;\n",
		"l.sql": "-- all\n.read x.sql\n", "l2.sql": ".read l.sql\n", "round.sql": ".read round.sql\n", "fine.sql": ".read ok.sql\n",
		"i.sql": "\\i x.sql\n", "ir.sql": "\\ir x.sql\n", "m.sql": "source x.sql;\n", "m2.sql": "\\. x.sql\n", "o.sql": "@x.sql\n", "s.sql": "START x\n", "r.sql": ":r x.sql\n",
		"b.sql": "!run x.sql\n", "c.sql": "SOURCE 'x.sql'\n",
		"db/ir.sql": "\\ir y.sql\n", "db/y.sql": "drop table y;\n",
		"run.sh": "sqlite3 app.db < l.sql\n",
		"x.js":   "db.dropDatabase()\n", "y.js": "load('x.js')\n", "ok.js": "db.users.find()\n",
		"cmds": "PING\nflushall\n", "pings": "PING\n", "x.cypher": "MATCH (n) DETACH DELETE n;\n", "ok.cypher": ":source x.cypher\n",
		"c6.sh": "sh c7.sh", "c7.sh": "sh c8.sh", "c8.sh": "sh c9.sh", "c9.sh": "sh c10.sh", "c10.sh": "sh c11.sh", "c11.sh": "rm -rf ~/Documents",
	}
	for _, test := range []struct {
		line   string
		want   Action
		reason string
	}{
		{"sqlite3 app.db < l.sql", Ask, "x.sql:1: drop table t;: "},
		{"sqlite3 app.db < l2.sql", Ask, "x.sql:1: "},
		{"cat l.sql | sqlite3 app.db", Ask, "x.sql:1: "},
		{"sqlite3 app.db '.read l.sql'", Ask, "x.sql:1: "},
		{"sh run.sh", Ask, "run.sh:1: sqlite3 app.db < l.sql: drops a table"},
		{"sqlite3 app.db < round.sql; sqlite3 app.db < fine.sql", Allow, ""},
		{"psql -f i.sql app", Ask, "x.sql:1: "},
		{"psql -f ir.sql app", Ask, "x.sql:1: "},
		{"psql -f db/ir.sql app", Ask, "db/y.sql:1: "},
		{"psql app <<< '\\i x.sql'", Ask, "x.sql:1: "},
		{"psql app <<< '\\i ok.sql'", Allow, ""},
		{"mysql app < m.sql", Ask, "x.sql:1: "},
		{"mysql app < m2.sql", Ask, "x.sql:1: "},
		{"sqlplus u @o.sql", Ask, "x.sql:1: "},
		{"sqlplus u @s", Ask, "x.sql:1: "},
		{"sqlcmd -i r.sql", Ask, "x.sql:1: "},
		{"beeline -f b.sql", Ask, "x.sql:1: "},
		{"cqlsh -f c.sql", Ask, "x.sql:1: "},
		{"mongosh app x.js", Ask, "x.js:1: "},
		{"mongosh app --file x.js", Ask, "x.js:1: "},
		{"mongosh app --file=x.js", Ask, "x.js:1: "},
		{"mongosh app -f x.js", Ask, "x.js:1: "},
		{"mongosh app < x.js", Ask, "x.js:1: "},
		{"mongosh app --eval \"load('x.js')\"", Ask, "x.js:1: "},
		{"mongosh app y.js", Ask, "x.js:1: "},
		{"mongosh app ok.js; mongosh app < ok.js", Allow, ""},
		{"redis-cli < cmds", Ask, "cmds:"},
		{"cat cmds | redis-cli", Ask, "cmds:"},
		{"psql -f ok.sql -f x.sql app", Ask, "x.sql:1: "},
		{"redis-cli < pings", Allow, ""},
		{"cypher-shell -f x.cypher", Ask, "x.cypher:1: "},
		{"cypher-shell --file x.cypher", Ask, "x.cypher:1: "},
		{"cypher-shell -f ok.cypher", Ask, "x.cypher:1: "},
		{"sh c6.sh", Ask, "c11.sh:1: rm -rf ~/Documents: "},
	} {
		v := judgedWith(set, test.line, files)
		if v.Action != test.want || !strings.HasPrefix(v.Reason(), test.reason) {
			t.Errorf("%s: %v %s, want %v %s", test.line, v.Action, v.Reason(), test.want, test.reason)
		}
	}
}

// TestListedNamesLieWhereTheCallIs: a name without its folder is one of the folder that the program has gone to.
func TestListedNamesLieWhereTheCallIs(t *testing.T) {
	set := NewSet(builtin(t))
	files := map[string]string{
		"far.py":  "import os\nd = os.path.expanduser('~/Documents')\nos.chdir(d)\nfor f in os.listdir(d):\n    os.remove(f)\n",
		"near.py": "import os\nfor f in os.listdir('src'):\n    os.remove(f)\n",
		"join.py": "import os\nd = os.path.expanduser('~/Documents')\nfor f in os.listdir(d):\n    os.remove(os.path.join(d, f))\n",
		"join.sh": "python3 - <<'EOF'\nimport os\nfor f in os.listdir(os.path.expanduser('~/Documents')):\n    os.remove(os.path.expanduser('~/Documents') + '/' + f)\nEOF\n",
	}
	for _, test := range []struct {
		line   string
		want   Action
		reason string
	}{
		{"python3 far.py", Ask, "far.py:5: os.remove(f): deletes every file that was found, outside"},
		{"python3 near.py", Allow, ""},
		{"python3 join.py", Ask, "join.py:4: "},
		{"sh join.sh", Ask, "join.sh:4: "},
	} {
		v := judgedWith(set, test.line, files)
		if v.Action != test.want || !strings.HasPrefix(v.Reason(), test.reason) {
			t.Errorf("%s: %v %s, want %v %s", test.line, v.Action, v.Reason(), test.want, test.reason)
		}
	}
}
