package risk

import "strings"

// onWindows returns the input with its own paths as the rest of this package writes
// paths: slashes, and the letter of a drive in upper case. Windows takes slashes in
// every call that the callbacks make, so what they are asked stays in that form.
func onWindows(in *Input) *Input {
	w := *in
	w.Dir, w.Root, w.Home = forward(in.Dir), forward(in.Root), forward(in.Home)
	w.Own = make([]string, len(in.Own))
	for i, dir := range in.Own {
		w.Own[i] = forward(dir)
	}
	if in.Program != nil {
		w.Program = func() (list []string) {
			for _, file := range in.Program() {
				list = append(list, forward(file))
			}
			return list
		}
	}
	if in.Follow != nil {
		w.Follow = func(p string) string {
			if p == "/" {
				return p // the shell's own root; Windows would take it for that of the drive
			}
			return forward(in.Follow(p))
		}
	}
	return &w
}

// forward writes a path of Windows with slashes, its drive as in C:/.
func forward(p string) string { return drive(strings.ReplaceAll(p, `\`, "/"), false) }

// drive spells a drive as C:/. posix takes the names that the shells of Windows have
// for it as well: /c (Git for Windows, MSYS2) and /cygdrive/c.
func drive(p string, posix bool) string {
	switch {
	case len(p) > 1 && p[1] == ':' && letter(p[0]):
		return string(p[0]-'a'+'A') + p[1:]
	case !posix:
		return p
	}
	rest := strings.TrimPrefix(p, "/cygdrive")
	if len(rest) < 2 || rest[0] != '/' || !letter(rest[1]|0x20) || len(rest) > 2 && rest[2] != '/' {
		return p
	}
	return strings.ToUpper(rest[1:2]) + ":/" + strings.TrimPrefix(rest[2:], "/")
}

// onDrive compares what follows a drive with a folder of Windows, in any case of
// letters: C:/WINDOWS/system32 lies in /Windows. rest is what lies below it.
func onDrive(abs, folder string) (rest string, ok bool) {
	if len(abs) < 3 || abs[1] != ':' {
		return "", false
	}
	p := abs[2:]
	if len(p) < len(folder) || !strings.EqualFold(p[:len(folder)], folder) || len(p) > len(folder) && p[len(folder)] != '/' {
		return "", false
	}
	return strings.TrimPrefix(p[len(folder):], "/"), true
}
