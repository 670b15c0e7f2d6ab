package risk

import (
	"testing"
)

// TestToolsOfOtherAgents gives the same risky and harmless acts to the tools of other
// agents and of MCP servers, in the form that their documentation has.
func TestToolsOfOtherAgents(t *testing.T) {
	set := NewSet(builtin(t))
	for _, c := range []struct {
		tool, args string
		want       Action
		rule       string
	}{
		{"exec_command", `{"cmd":"rm -rf ~","workdir":"/home/dev/code/app"}`, Deny, "fs.delete-home"},
		{"exec_command", `{"cmd":"rm -rf .","workdir":"/home/dev"}`, Deny, "fs.delete-home"},
		{"exec_command", `{"cmd":"rm -rf lib","workdir":"src"}`, Checkpoint, "fs.delete-tree"},
		{"exec_command", `{"cmd":"go test ./...","workdir":"/home/dev/code/app"}`, Allow, ""},
		{"run_terminal_cmd", `{"command":"git push --force origin main","is_background":false}`, Deny, "git.push-force-protected"},
		{"run_terminal_cmd", `{"command":"npm test","is_background":false}`, Allow, ""},
		{"execute_command", `{"command":"cat .env","requires_approval":false}`, Ask, "secrets.read"},
		{"run_command", `{"CommandLine":"git reset --hard","Cwd":"/home/dev/code/app"}`, Checkpoint, "git.reset-hard"},
		{"run_in_terminal", `{"command":"echo hi","explanation":"says hi","isBackground":false}`, Allow, ""},
		{"shell", `{"command":["bash","-lc","cat .env"]}`, Ask, "secrets.read"},
		{"local_shell", `{"command":["rm","-rf","/"]}`, Deny, "fs.delete-root"},
		{"local_shell", `{"command":["ls","-la"]}`, Allow, ""},
		{"write_to_file", `{"path":".env","content":"A=1"}`, Ask, "agent.write-secret-file"},
		{"write_to_file", `{"path":"src/new.go","content":"package src"}`, Allow, ""},
		{"write_to_file", `{"path":"src/new.go","content":"key = \"ghp_q8Zt3Lw0Vb7Xn2Rk5Hs9Jd4Mf6Pc1Ya0Te3U\""}`, Ask, "agent.secret-content"},
		{"replace_in_file", `{"path":"CLAUDE.md","diff":"x"}`, Checkpoint, "agent.critical-file"},
		{"replace_in_file", `{"path":"/home/dev/.bashrc","diff":"x"}`, Ask, "fs.write-profile"},
		{"replace_in_file", `{"path":"src/app.go","diff":"x"}`, Allow, ""},
		{"str_replace_based_edit_tool", `{"command":"create","path":".git/hooks/pre-commit","file_text":"x"}`, Ask, "fs.write-hook"},
		{"str_replace_based_edit_tool", `{"command":"view","path":"src/app.go"}`, Allow, ""},
		{"delete_file", `{"target_file":"main.go"}`, Checkpoint, "tools.delete-unsaved"},
		{"delete_file", `{"target_file":"README.md"}`, Allow, ""},
		{"mcp__shell__run_command", `{"command":"rm -rf ~"}`, Deny, "fs.delete-home"},
		{"mcp__shell__run_command", `{"command":"rm","args":["-rf","/"]}`, Deny, "fs.delete-root"},
		{"mcp__desktop-commander__execute_command", `{"command":"git reset --hard"}`, Checkpoint, "git.reset-hard"},
		{"mcp__desktop-commander__execute_command", `{"command":"git status"}`, Allow, ""},
		{"mcp__aws__call_aws", `{"cli_command":"aws s3 rb s3://b --force"}`, Deny, ""},
		{"mcp__aws__call_aws", `{"cli_command":"aws s3 ls"}`, Allow, ""},
		{"mcp__filesystem__write_file", `{"path":"/home/dev/code/app/.env","content":"A=1"}`, Ask, "agent.write-secret-file"},
		{"mcp__filesystem__write_file", `{"path":"/home/dev/code/app/docs/a.md","content":"x"}`, Allow, ""},
		{"mcp__filesystem__edit_file", `{"path":"/home/dev/.bashrc","edits":[{"oldText":"a","newText":"b"}]}`, Ask, "fs.write-profile"},
		{"mcp__filesystem__move_file", `{"source":"/home/dev/code/app/.env","destination":"/tmp/x"}`, Ask, "fs.delete-secret"},
		{"mcp__filesystem__move_file", `{"source":"/home/dev/code/app/README.md","destination":"/home/dev/code/app/docs/README.md"}`, Allow, ""},
		{"mcp__filesystem__read_text_file", `{"path":".env"}`, Ask, "secrets.read"},
		{"mcp__filesystem__read_text_file", `{"path":"README.md"}`, Allow, ""},
	} {
		in := World()
		in.Tool, in.Args = c.tool, []byte(c.args)
		v := set.Check(&in)
		found := c.rule == ""
		for _, id := range v.IDs() {
			found = found || id == c.rule
		}
		if v.Action != c.want || !found {
			t.Errorf("%s %s = %s %v, want %s by %q", c.tool, c.args, v.Action, v.IDs(), c.want, c.rule)
		}
	}
}
