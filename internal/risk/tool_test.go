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
		{"mcp__x__run", `{"program":"rm","args":["-rf","~"]}`, Deny, "fs.delete-home"},
		{"mcp__x__go", `{"executable":"rm","argv":["-rf","$HOME"]}`, Deny, "fs.delete-home"},
		{"mcp__x__go", `{"cmd":"rm","arguments":"-rf /"}`, Deny, "fs.delete-root"},
		{"mcp__x__go", `{"process":{"program":"rm","args":["-rf","~"]}}`, Deny, "fs.delete-home"},
		{"mcp__x__go", `{"steps":[{"Program":"ls"},{"Program":"rm","Args":["-rf","/"]}]}`, Deny, "fs.delete-root"},
		{"mcp__x__go", `{"commands":["ls","rm -rf ~"]}`, Deny, "fs.delete-home"},
		{"mcp__x__go", `{"command":["git","commit","-m","rm -rf / is bad"]}`, Allow, ""},
		{"mcp__x__go", `{"program":"git","args":["commit","-m","rm -rf / is bad"]}`, Allow, ""},
		{"mcp__x__go", `{"program":"ls","args":["-la"]}`, Allow, ""},
		{"execute-command", `{"command":"rm -rf /"}`, Deny, "fs.delete-root"},
		{"ExecuteCommand", `{"command":"rm -rf /"}`, Deny, "fs.delete-root"},
		{"no_such_tool", `{"program":"rm","args":["-rf","/"]}`, Deny, "fs.delete-root"},
		{"Agent", `{"prompt":"rm -rf /","command":"rm -rf /"}`, Allow, ""},
		{"BASH", `{"command":"rm -rf /"}`, Deny, "fs.delete-root"},
		{"WRITE", `{"file_path":".git/hooks/pre-commit","content":"x"}`, Ask, "fs.write-hook"},
		{"mcp__fs__deleteFile", `{"fileName":"main.go"}`, Checkpoint, "tools.delete-unsaved"},
		{"mcp__fs__rename", `{"oldPath":"main.go","newPath":"x"}`, Checkpoint, "tools.delete-unsaved"},
		{"mcp__git__git_branch", `{"operation":"delete","name":"topic","force":true}`, Checkpoint, "git.branch-delete-force"},
		{"mcp__git__branch_delete", `{"branch":"topic","force":true}`, Checkpoint, "git.branch-delete-force"},
		{"mcp__git__git_branch", `{"operation":"list"}`, Allow, ""},
		{"mcp__git__git_stash", `{"action":"drop"}`, Checkpoint, "git.stash-drop"},
		{"mcp__git__git_stash", `{"mode":"list"}`, Allow, ""},
		{"mcp__git__git_reset", `{"mode":"hard"}`, Checkpoint, "git.reset-hard"},
		{"mcp__git__git_reset", `{"mode":"soft"}`, Allow, ""},
		{"mcp__git__git_push", `{"force":true}`, Ask, "git.push-force"},
		{"mcp__git__git_push", `{"remote":"origin","branch":"topic"}`, Allow, ""},
		{"mcp__git__git_clean", `{}`, Checkpoint, "git.clean"},
		{"mcp__git__git_tag", `{"mode":"list"}`, Allow, ""},
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
		{"mcp__supabase__execute_sql", `{"query":"DROP TABLE users"}`, Ask, "sql.drop"},
		{"mcp__supabase__execute_sql", `{"project_id":"drop table x","query":"select 1"}`, Ask, "sql.drop"},
		{"mcp__supabase__apply_migration", `{"name":"x","query":"alter table t drop column c"}`, Ask, "sql.alter-drop"},
		{"mcp__postgres__query", `{"sql":"SELECT * FROM users WHERE deleted"}`, Allow, ""},
		{"mcp__postgres__query", `{"sql":"CREATE USER x WITH SUPERUSER"}`, Ask, "sql.grant"},
		{"mcp__foo__run", `{"query":"DROP TABLE users"}`, Ask, "sql.drop"},
		{"mcp__foo__run", `{"sql":"truncate users"}`, Ask, "sql.truncate"},
		{"mcp__foo__run", `{"query":"how to drop table users"}`, Allow, ""},
		{"mcp__exa__web_search", `{"query":"postgres drop table if exists"}`, Allow, ""},
		{"mcp__jupyter__execute_code", `{"code":"import shutil\nshutil.rmtree('src')"}`, Checkpoint, "fs.delete-tree"},
		{"mcp__ide__executeCode", `{"code":"!rm -rf src"}`, Checkpoint, "fs.delete-tree"},
		{"mcp__ide__executeCode", `{"code":"df.drop(columns=['a'], inplace=True)\nprint(df.head())"}`, Allow, ""},
		{"mcp__e2b__run_code", `{"language":"javascript","code":"require('fs').rmSync('src',{recursive:true})"}`, Checkpoint, "fs.delete-tree"},
		{"mcp__e2b__run_code", `{"language":"bash","code":"git push --force origin main"}`, Deny, "git.push-force-protected"},
		{"mcp__e2b__run_code", `{"language":"bash","code":"git status"}`, Allow, ""},
		{"mcp__e2b__run_code", `{"language":"python","code":"import os\nos.system('rm -rf ~')"}`, Deny, "fs.delete-home"},
		{"mcp__x__run", `{"code":"const fs = require('fs'); fs.writeFileSync('main.go','')"}`, Checkpoint, "fs.overwrite"},
		{"mcp__x__run", `{"code":"x = \"a"}`, Allow, ""},
		{"mcp__playwright__browser_evaluate", `{"function":"() => document.title"}`, Allow, ""},
		{"mcp__puppeteer__puppeteer_evaluate", `{"script":"const a = 1; fetch('/x').then(r => r.text())"}`, Allow, ""},
		{"mcp__desktop-commander__start_process", `{"command":"rm -rf ~","timeout_ms":1000}`, Deny, "fs.delete-home"},
		{"mcp__desktop-commander__interact_with_process", `{"pid":1,"input":"rm -rf src"}`, Checkpoint, "fs.delete-tree"},
		{"mcp__redis__execute", `{"command":"FLUSHALL"}`, Ask, "sql.redis-flush"},
		{"mcp__mongodb__run", `{"command":"db.dropDatabase()"}`, Ask, "sql.mongo-drop"},
		{"mcp__laravel-boost__tinker", `{"code":"unlink('main.go');"}`, Checkpoint, "fs.delete-unsaved"},
		{"mcp__laravel-boost__tinker", `{"code":"User::count();"}`, Allow, ""},
		{"mcp__context7__query-docs", `{"query":"drop table syntax","libraryId":"/x"}`, Allow, ""},
		{"mcp__github__search_code", `{"q":"DROP TABLE users","query":"delete from"}`, Allow, ""},
		{"mcp__github__create_issue", `{"title":"x","body":"DROP TABLE users; rm -rf ~"}`, Allow, ""},
		{"mcp__shell__bash", `{"script":"set -e\ngit reset --hard\n"}`, Checkpoint, "git.reset-hard"},
		{"mcp__ssh__exec", `{"host":"web1","command":"sudo rm -rf /var/www"}`, Ask, "fs.delete-outside"},
		{"mcp__prisma__migrate-reset", `{"projectCWD":"/x"}`, Ask, "tools.remote-delete"},
		{"mcp__kubernetes__kubectl_generic", `{"command":"delete","resourceType":"ns","name":"x"}`, Ask, "tools.kubectl-verb"},
		{"mcp__bigquery__execute_sql", `{"sql":"SELECT * EXCEPT(x) FROM t"}`, Allow, ""},
		{"mcp__notion__query", `{"query":"update the roadmap"}`, Allow, ""},
		{"mcp__node__run_script", `{"script":"console.log(1)"}`, Allow, ""},
		{"mcp__powershell__run", `{"powershell":"Remove-Item src -Recurse"}`, Checkpoint, "fs.delete-tree"},
		{"mcp__windows__run_powershell", `{"command":"Remove-Item src -Recurse -Force"}`, Checkpoint, "fs.delete-tree"},
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
