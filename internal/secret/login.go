package secret

import (
	"slices"
	"strings"
	"unicode"

	"github.com/modu-ai/moai/internal/rule"
)

// The login of an address is the password in "scheme://user:password@host". How a password looks tells little: people choose words.
// What tells is whom it lets in where. A server that others reach has no password for show, so there each one counts; one that
// only this machine reaches is in the documentation of every database, and there a password has to look like one.

// A password for a server that others reach is at least so long; a port in its place is shorter than longestPort.
const (
	minLogin    = 4
	longestPort = 5
)

// addressLogin finds the password in what stands behind the "://" of an address.
func (s *scan) addressLogin(t *rule.Token, from int) (span, bool) {
	password, at, hosts, ok := s.loginIn(s.text[from:min(len(s.text), from+2048)])
	s.spent(256)
	if !ok || len(password) > t.Max && (t.Max != 0 || !s.wide) {
		return span{}, false
	}
	one := span{from, from + at + len(password)} // with the user, who may be the token: https://TOKEN:x-oauth-basic@host
	return one, s.letsIn(t, password, strings.Split(hosts, ","))
}

// dsn finds the password in what stands before the address of a server: user:password@tcp(host)/name.
func (s *scan) dsn(t *rule.Token, start, from int) (span, bool) {
	low := max(0, start-512)
	s.spent(start - low + 64)
	low += strings.LastIndexAny(s.text[low:start], "\r\n\"'`") + 1
	colon := strings.LastIndexByte(s.text[low:start], ':') // a password may have blanks in it
	if colon < 0 {
		return span{}, false
	}
	low += strings.LastIndexAny(s.text[low:low+colon], " \t") + 1
	user, password, _ := strings.Cut(s.text[low:start], ":")
	if user == "" || password == "" || password[0] == ' ' || variable(password) || len(password) == 2 && password[0] == '%' || len(password) > t.Max {
		return span{}, false
	}
	host := s.text[from:min(len(s.text), from+256)]
	if end := strings.IndexByte(host, ')'); end >= 0 {
		host = host[:end]
	}
	return span{start - len(password), start}, s.wide && !s.sober || s.letsIn(t, password, []string{host})
}

// letsIn reports that a password counts for one of some hosts.
func (s *scan) letsIn(t *rule.Token, password string, hosts []string) bool {
	if slices.ContainsFunc(hosts, s.reached) {
		return t.Max == 0 && len(password) >= t.Min || len(password) >= minLogin && !s.shown(password)
	}
	low := strings.ToLower(password)
	if !s.wide || strings.Contains(low, "pass") || strings.Contains(low, "secret") {
		return false // what documentation puts there
	}
	return len(password) >= t.Min && entropy(password) >= t.Entropy && !s.example("", password)
}

// loginIn takes the password and the hosts out of "user:password@host,host/…". What may be a secret may have signs in it that end
// other addresses.
func (s *scan) loginIn(rest string) (password string, at int, hosts string, ok bool) {
	ends, breaks := " \t\r\n\"'`<>)", "/?#\\"
	if s.wide {
		ends, breaks = " \t\r\n\"'`<", "/\\"
	}
	if end := strings.IndexAny(rest, ends); end >= 0 {
		rest = rest[:end]
	}
	if end := strings.IndexAny(rest, breaks); end >= 0 {
		rest = rest[:end]
	}
	sign := strings.LastIndexByte(rest, '@')
	if sign < 0 {
		return "", 0, "", false
	}
	user, password, ok := strings.Cut(rest[:sign], ":")
	if !ok || strings.ContainsAny(user, "?#()[]") || password == user && !s.wide {
		return "", 0, "", false
	}
	hosts, _, _ = strings.Cut(rest[sign+1:], "?")
	hosts, _, _ = strings.Cut(hosts, "#")
	return password, len(user) + 1, hosts, true
}

// reached reports a host that others than this machine reach, as far as its name tells: one of the internet, and none of the table's
// hosts for examples and private use.
func (s *scan) reached(host string) bool {
	host = strings.ToLower(host)
	if inside, ok := strings.CutPrefix(host, "["); ok {
		inside, _, ok = strings.Cut(inside, "]")
		return ok && strings.Count(inside, ":") > 1 && strings.Trim(inside, "0:") != "1" && !strings.Contains(inside, "ffff:127.")
	}
	host, _, _ = strings.Cut(host, ":")
	host = strings.TrimRight(fixed(host), ".)>")
	if !strings.Contains(host, ".") || strings.ContainsAny(host, "()[]*+^|") || host == "0.0.0.0" || strings.HasPrefix(host, "127.") {
		return false
	}
	return !slices.ContainsFunc(s.table.Secrets.Hosts, func(end string) bool { return strings.HasSuffix("."+host, end) })
}

// fixed is a name without the parts that are filled in later: db.${STAGE}.acme.io.
func fixed(name string) string {
	for {
		from := strings.IndexByte(name, '{')
		if from < 0 {
			return name
		}
		end := strings.IndexByte(name[from:], '}')
		if end < 0 {
			return name[:from]
		}
		name = strings.TrimSuffix(name[:from], "$") + name[from+end+1:]
	}
}

// shown reports that a password is one for show: it stands for another, or consists of words that documentation puts there.
func (s *scan) shown(v string) bool {
	switch {
	case variable(v), strings.Trim(v, v[:1]) == "", strings.Contains(v, "..."), strings.Contains(v, "…"):
		return true
	case strings.ContainsAny(v, "{<"), strings.Contains(v, "$("), strings.Contains(v, "%("):
		return true
	}
	if !s.wide && (strings.ContainsAny(v, "$*") || len(v) <= longestPort && strings.Trim(v, "0123456789") == "") {
		return true
	}
	low := strings.ToLower(v)
	if slices.Contains(s.table.Secrets.Passwords, low) || s.known(v) {
		return true
	}
	var room [maxNameWords]string
	words := wordsOf(v, low, room[:0])
	return !strings.ContainsFunc(v, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) ||
		!slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(s.table.Secrets.Passwords, w) })
}
