package checkpoint

import "strings"

// maxCommand is how much of a command a message and the log keep, in bytes.
const maxCommand = 500

// Mask hides what looks like a secret in a command line, since messages and the log are read by others: values of variables and
// options with telling names, passwords in URLs, behind users' names and behind the options of some programs, Authorization headers,
// and tokens of known shape. It errs on the side of hiding; the command is kept for a person to recognise, not to be run again,
// so blanks and line ends become single blanks.
func Mask(cmd string) string {
	cmd, cut := begin(cmd)
	cmd = strings.ToValidUTF8(cmd, "\uFFFD")
	words := strings.Fields(cmd)
	hideNext, userNext, program := false, false, ""
	for i, w := range words {
		if i == 0 || beginsCommand(words[i-1]) {
			program = w[strings.LastIndexByte(w, '/')+1:]
		} else if w == "login" {
			program = w // docker login, az login: elsewhere -p is a port
		}
		attached, next := passwordOption(program, w)
		switch {
		case hideNext:
			hideNext = false
			switch strings.ToLower(strings.Trim(w, `"'`)) {
			case "bearer", "basic", "token":
				hideNext = true
			default:
				words[i] = stars(w)
			}
		case userNext:
			userNext = false
			words[i] = maskUser(w)
		case strings.HasSuffix(w, ":") && telling(w):
			hideNext = true // -H "Authorization: Bearer …"
		case attached > 0:
			words[i] = w[:attached] + "***"
		case next:
			hideNext = true
		case w == "-u" || w == "--user" || w == "--proxy-user":
			userNext = true
		case strings.HasPrefix(w, "-u") && program == "curl":
			words[i] = maskUser(w)
		default:
			words[i], hideNext = maskWord(w)
		}
	}
	if cut {
		words = append(words, "…")
	}
	return clip(strings.Join(words, " "), maxCommand)
}

// begin returns as much of a long command as may be worth masking, which is what it is cut to
// and more, since what is hidden gets shorter. A word that is cut in two is left out: its end tells
// whether it is a secret.
func begin(cmd string) (head string, cut bool) {
	const enough = 8 * maxCommand
	if len(cmd) <= enough {
		return cmd, false
	}
	return cmd[:strings.LastIndexAny(cmd[:enough], " \t\n")+1], true
}

// beginsCommand says whether a program's name comes after a word, as far as that can be told without taking the line apart.
func beginsCommand(w string) bool {
	switch w {
	case "|", "||", "&&", "&", "then", "do", "sudo", "env", "exec", "command", "time", "nohup":
		return true
	}
	return strings.HasSuffix(w, ";") || strings.Contains(w, "=") && !strings.HasPrefix(w, "-")
}

// passwordOption knows programs with a short option for a password: where it begins in the word, or that it is the next word.
func passwordOption(program, w string) (attached int, next bool) {
	option, word := "-p", true
	switch program {
	case "mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb", "mariadb-dump", "7z", "7za":
		word = false // on its own it asks for the password, and a database comes next
	case "sshpass", "mongo", "mongosh", "mongodump", "mongorestore", "login":
	case "redis-cli":
		option = "-a"
	case "zip", "unzip":
		option = "-P"
	default:
		return 0, false
	}
	switch {
	case w == option:
		return 0, word
	case strings.HasPrefix(w, option):
		return len(option), false
	}
	return 0, false
}

// maskUser hides what stands behind a user's name: bob:secret.
func maskUser(w string) string {
	user, pass, ok := strings.Cut(w, ":")
	if !ok || pass == "" {
		return w
	}
	shut := ""
	if last := pass[len(pass)-1:]; last == `"` || last == "'" {
		shut = last
	}
	return user + ":***" + shut
}

// maskWord hides the secret inside one word, and says whether the next word is one.
func maskWord(w string) (string, bool) {
	if i := strings.Index(w, "://"); i >= 0 {
		if at := strings.IndexByte(w[i+3:], '@'); at >= 0 && !strings.ContainsAny(w[i+3:i+3+at], "/?#") {
			return w[:i+3] + "***" + w[i+3+at:], false
		}
	}
	if key, val, ok := strings.Cut(w, "="); ok {
		if telling(key) && val != "" {
			return key + "=***", false
		}
		masked, next := maskWord(val)
		return key + "=" + masked, next
	}
	if key, val, ok := strings.Cut(w, ":"); ok && telling(key) && val != "" && !strings.HasPrefix(val, "//") {
		return key + ":***", false
	}
	if strings.HasPrefix(w, "--") && telling(w) {
		return w, true
	}
	if token(strings.Trim(w, `"'`)) {
		return stars(w), false
	}
	return w, false
}

// telling says whether a variable, option or header is named like one that holds a secret.
func telling(name string) bool {
	name = strings.ToLower(name)
	for _, part := range [...]string{"passw", "passphrase", "secret", "token", "apikey", "api-key", "api_key", "authorization", "credential", "private-key", "private_key", "access-key", "access_key", "_pwd"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return strings.HasSuffix(name, "_key") || strings.HasSuffix(name, "_pass")
}

// token knows issuers' prefixes; a prefix alone is no token.
func token(w string) bool {
	for _, p := range [...]string{"ghp_", "gho_", "ghs_", "ghu_", "github_pat_", "glpat-", "sk-", "sk_live_", "rk_live_", "xoxb-", "xoxp-", "AKIA", "ASIA", "AIza", "npm_", "pypi-", "hf_", "eyJ"} {
		if strings.HasPrefix(w, p) && len(w) >= len(p)+12 {
			return true
		}
	}
	return false
}

// stars keeps a quote that opens or closes at the word, so that the line still reads as one.
func stars(w string) string {
	var open, shut string
	if w[0] == '"' || w[0] == '\'' {
		open = w[:1]
	}
	if last := w[len(w)-1]; len(w) > 1 && (last == '"' || last == '\'') {
		shut = string(last)
	}
	return open + "***" + shut
}

// clip cuts at a rune boundary and shows that it did.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
