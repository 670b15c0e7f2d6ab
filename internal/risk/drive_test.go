package risk

import (
	"strings"
	"testing"

	"github.com/modu-ai/moai/internal/rule"
)

// Windows: a project on a drive, a home with backslashes, and the spellings that Git
// for Windows, PowerShell and cmd have for the same places.
func TestVerdictsOnWindows(t *testing.T) {
	set := NewSet(builtin(t))
	for _, tt := range []struct {
		tool, command string
		action        Action
		id            string
	}{
		{"", `rm -rf /`, Deny, "fs.delete-root"},
		{"", `rm -rf ~`, Deny, "fs.delete-home"},
		{"", `rm -rf "$HOME"`, Deny, "fs.delete-home"},
		{"", `rm -rf /c/Users/me`, Deny, "fs.delete-home"},
		{"", `rm -rf /cygdrive/c/users/ME`, Deny, "fs.delete-home"},
		{"", `rm -rf c:/Users`, Deny, "fs.delete-home"},
		{"", `rm -rf /c`, Deny, "fs.delete-root"},
		{"", `rm -rf 'c:\'`, Deny, "fs.delete-root"},
		{"", `rm -rf /c/WINDOWS/System32`, Deny, "fs.delete-system"},
		{"", `cmd /c "rd /s /q C:\Windows"`, Deny, "fs.delete-system"},
		{"", `rm -rf "C:/Program Files (x86)/x"`, Deny, "fs.delete-system"},
		{"", `rm -rf .`, Ask, "fs.delete-project"},
		{"", `rm -rf src`, Checkpoint, "fs.delete-tree"},
		{"", `cd src && rm -rf ../docs`, Checkpoint, "fs.delete-tree"},
		{"", `rm -rf /c/users/me/APP/src`, Checkpoint, "fs.delete-tree"},
		{"", `cd /c/Users/me/other && rm -rf src`, Ask, "fs.delete-outside"},
		{"", `rm -rf C:/Users/me/AppData/Local/Temp/build-1`, Allow, ""},
		{"", `rm -rf /tmp/build-1`, Allow, ""},
		{"", `docker run --rm -v "$PWD":/w alpine rm -rf /data`, Allow, ""},
		{"", `docker run --rm -v "$PWD":/w alpine rm -rf /w/src`, Checkpoint, "fs.delete-tree"},
		{"", `docker run --rm -v 'C:\Users\me:/me:rw' alpine rm -rf /me`, Deny, "fs.delete-home"},
		{"PowerShell", `docker run --rm -v C:\Users\me:/me alpine rm -rf /me`, Deny, "fs.delete-home"},
		{"PowerShell", `Remove-Item -Recurse -Force C:\Users\me`, Deny, "fs.delete-home"},
		{"PowerShell", `Remove-Item -Recurse -Force C:\Users\*`, Deny, "fs.delete-home"},
		{"PowerShell", `Set-Content -Path $PROFILE -Value x`, Ask, "fs.write-profile"},
		{"PowerShell", `Add-Content $PROFILE.CurrentUserAllHosts 'Import-Module x'`, Ask, "fs.write-profile"},
		{"PowerShell", `"x" >> $profile`, Ask, "fs.write-profile"},
		{"PowerShell", `Get-Content $PROFILE`, Allow, ""},
		{"PowerShell", `Test-Path $PROFILE`, Allow, ""},
		{"PowerShell", `Remove-Item -Recurse -Force C:\Windows`, Deny, "fs.delete-system"},
		{"PowerShell", `Remove-Item -Recurse -Force C:\`, Deny, "fs.delete-root"},
		{"PowerShell", `Remove-Item -Recurse -Force D:\*`, Deny, "fs.delete-root"},
		{"PowerShell", `Remove-Item -Recurse -Force .\src`, Checkpoint, "fs.delete-tree"},
		{"PowerShell", `Remove-Item -Recurse C:\users\me\app\src`, Checkpoint, "fs.delete-tree"},
	} {
		v := set.Check(&Input{
			Tool: tt.tool, Command: tt.command, Windows: true, Fold: true,
			Dir: `C:\Users\me\app`, Root: `C:\Users\me\app`, Home: `C:\Users\me`,
			Exists: func(string) bool { return true },
			Follow: backslashes,
		})
		id := ""
		if len(v.Hits) > 0 {
			id = v.Hits[0].Rule.ID
		}
		if v.Action != tt.action || id != tt.id {
			t.Errorf("%s: %v by %q, want %v by %q", tt.command, v.Action, id, tt.action, tt.id)
		}
	}
}

// backslashes answers a path as the calls of Windows do: a drive without its slash is
// the folder that was last used on it.
func backslashes(p string) string {
	if len(p) == 2 && p[1] == ':' {
		return p + `\last\used`
	}
	return strings.ReplaceAll(p, "/", `\`)
}

func TestExceptionsOnWindows(t *testing.T) {
	in := onWindows(&Input{Windows: true, Root: `c:\app`, Home: `C:\Users\me`, Fold: true})
	h := Hit{Rule: &rule.Risk{ID: "fs.delete-tree"}, Targets: []Target{{Path: "C:/app/out/x"}}}
	for pattern, want := range map[string]bool{
		`out`: true, `out\x`: true, `C:\app\out`: true, `c:/app/out`: true, `/c/app/out`: true, `D:\app\out`: false, `src`: false,
	} {
		if got := excuses(&rule.Allowed{Rule: "fs.*", Path: pattern, Project: `C:\app`}, in, &h); got != want {
			t.Errorf("an exception for %s lets C:/app/out/x pass: %t, want %t", pattern, got, want)
		}
	}
}

// A home below a folder for throw-away files, as build machines have it, is a home; the
// temporary folder inside of it is not.
func TestHomeInTempOnWindows(t *testing.T) {
	set := NewSet(builtin(t))
	temp := `C:\Users\me\AppData\Local\Temp`
	for command, want := range map[string]Action{
		"echo x >> ~/.bashrc":                Ask,
		"rm -rf ~/.config/moai":              Ask,
		"rm -rf ~/AppData/Local/Temp/x":      Allow,
		"rm -rf ~/AppData/Local/Temp/x/y.db": Allow,
	} {
		v := set.Check(&Input{
			Command: command, Windows: true, Fold: true, Dir: temp + `\w\app`, Root: temp + `\w\app`, Home: temp + `\w\home`,
			Exists: func(string) bool { return true }, Follow: backslashes,
		})
		if v.Action != want {
			t.Errorf("%s: %v, want %v", command, v.Action, want)
		}
	}
}
