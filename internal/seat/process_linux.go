package seat

import (
	"io"
	"os"
	"strconv"
	"strings"
)

// largest bounds what is read of one process: its environment can be megabytes.
const largest = 256 << 10

// process reads /proc. What belongs to another user tells its name alone.
func process(id int) (Process, bool) {
	dir := "/proc/" + strconv.Itoa(id) + "/"
	text, err := read(dir + "stat")
	if err != nil {
		return Process{}, false
	}
	// pid (name) state parent …: the name may have blanks and brackets of its own.
	open, shut := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 0 || shut < open {
		return Process{}, false
	}
	f := strings.Fields(text[shut+1:])
	if len(f) < 2 {
		return Process{}, false
	}
	parent, err := strconv.Atoi(f[1])
	if err != nil {
		return Process{}, false
	}
	p := Process{ID: id, Parent: parent, Name: text[open+1 : shut]}
	if text, err := read(dir + "cmdline"); err == nil {
		p.Args = split(text)
	}
	if text, err := read(dir + "environ"); err == nil {
		p.Environ = split(text)
	}
	return p, true
}

func read(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, largest))
	return string(b), err
}

func split(text string) []string {
	if text = strings.TrimRight(text, "\x00"); text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}
