package seat

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// largest bounds what is read of one process: its environment can be megabytes.
const largest = 256 << 10

// usual is what most of these files have room in.
const usual = 4 << 10

// process reads /proc. What belongs to another user tells its name alone.
func process(id int) (Process, bool) {
	p, ok := brief(id)
	if !ok {
		return p, false
	}
	p.Environ = environ(id)
	return p, true
}

// brief is process without the variables.
func brief(id int) (Process, bool) {
	p, ok := stat(id)
	if !ok {
		return p, false
	}
	p.Args = arguments(id)
	return p, true
}

// arguments and environ are what a process was started with.
func arguments(id int) []string { return list("/proc/" + strconv.Itoa(id) + "/cmdline") }

func environ(id int) []string { return list("/proc/" + strconv.Itoa(id) + "/environ") }

// Fields of /proc/ID/stat behind the name, by their place.
const (
	fieldState  = 0
	fieldParent = 1
	fieldTTY    = 4
	fieldBegan  = 19
)

// stat is what one file tells.
func stat(id int) (Process, bool) {
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
	if len(f) <= fieldParent {
		return Process{}, false
	}
	parent, err := strconv.Atoi(f[fieldParent])
	if err != nil {
		return Process{}, false
	}
	// What has ended and was not asked for its end by its parent is a name in a table.
	p := Process{ID: id, Parent: parent, Name: text[open+1 : shut], over: f[fieldState] == "Z" || f[fieldState] == "X"}
	if len(f) > fieldBegan {
		p.Began = f[fieldBegan] // ticks since the machine was started
		if nr, err := strconv.Atoi(f[fieldTTY]); err == nil && nr != 0 {
			p.TTY = terminal(uint32(nr>>8)&0xfff, uint32(nr)&0xff|uint32(nr>>12)&0xfff00)
		}
	}
	return p, true
}

// Major numbers of the pseudo terminals of Linux, 256 each.
const firstPTS, lastPTS = 136, 143

// terminal is the name of a terminal that the kernel knows by its numbers.
func terminal(major, minor uint32) string {
	if major >= firstPTS && major <= lastPTS {
		return "/dev/pts/" + strconv.Itoa(int((major-firstPTS)<<8|minor))
	}
	number := strconv.Itoa(int(major)) + ":" + strconv.Itoa(int(minor))
	if text, err := read("/sys/dev/char/" + number + "/uevent"); err == nil {
		for line := range strings.Lines(text) {
			if name, ok := strings.CutPrefix(strings.TrimSpace(line), "DEVNAME="); ok {
				return "/dev/" + name
			}
		}
	}
	return "tty " + number
}

// boot tells one start of the machine from another: ids and ticks begin anew with it.
func boot() string {
	text, _ := read("/proc/sys/kernel/random/boot_id")
	id, _, _ := strings.Cut(strings.TrimSpace(text), "-")
	return id
}

// ticks are a second of what the kernel tells programs, on all platforms.
const ticks = 100

// start is when a process began that is said to have begun so many ticks after the machine.
func start(began string) (t time.Time, ok bool) {
	n, err := strconv.ParseInt(began, 10, 64)
	var up unix.Timespec
	if err != nil || unix.ClockGettime(unix.CLOCK_BOOTTIME, &up) != nil {
		return time.Time{}, false
	}
	return time.Now().Add(time.Duration(n)*(time.Second/ticks) - time.Duration(up.Nano())), true
}

// read asks the system itself: what package os does with a file that may have to be waited for costs more than reading these.
func read(name string) (string, error) {
	fd, err := unix.Open(name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	b := make([]byte, 0, usual)
	for len(b) < largest {
		b = slices.Grow(b, usual/2)
		n, err := unix.Read(fd, b[len(b):min(cap(b), largest)])
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return "", err
		case n == 0:
			return string(b), nil
		default:
			b = b[:len(b)+n]
		}
	}
	return string(b), nil
}

// list reads a file of texts that end with a zero.
func list(name string) []string {
	text, err := read(name)
	if text = strings.TrimRight(text, "\x00"); err != nil || text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}

func named(st *unix.Stat_t) string { return terminal(unix.Major(st.Rdev), unix.Minor(st.Rdev)) }
