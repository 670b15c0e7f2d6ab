package repo

import "github.com/modu-ai/moai/internal/disk"

// change records a difference between the index and the work tree.
func (w *worker) change(status byte, i int, st *disk.Stat) {
	e := &w.ix.entries[i]
	p := pair{status: status, path: e.name, entry: i, work: true}
	switch status {
	case 'D':
		p.oldHash, p.oldMode = e.hash(w.ix.hashSize), e.mode()
	case 'A':
		p.newMode = w.modeOf(e, st)
	}
	w.changed = append(w.changed, p)
	w.listed(1)
}

// modeOf is the mode that git would record for a file: a link, a gitlink for a directory,
// or a file with its executable bit, which is taken from the index where the file system
// has none.
func (w *worker) modeOf(e *entry, st *disk.Stat) uint32 {
	switch {
	case st.IsLink():
		return ModeLink
	case st.IsDir():
		return ModeGitlink
	case !w.symlinks && e.mode() == ModeLink:
		return ModeLink
	case !w.fileMode && e.mode()&modeType == modeRegular:
		return e.mode()
	case w.fileMode && st.Mode&modeExecBit != 0:
		return ModeExec
	}
	return ModeFile
}

// compare judges one tracked file that is there.
func (w *worker) compare(i int, st *disk.Stat) {
	e := &w.ix.entries[i]
	mode := e.mode()
	if st.IsDir() && mode != ModeGitlink {
		// A directory in place of a file: the file is gone, unless the directory is a
		// repository with a commit, which git takes for a submodule.
		if _, ok := w.r.nestedHead(e.name); !ok {
			w.change('D', i, nil)
			return
		}
	}
	if w.o.Permissions && st.IsRegular() {
		w.permission(e, st)
	}
	if e.intentToAdd() {
		w.change('A', i, st)
		return
	}
	if w.modeOf(e, st)&modeType != mode&modeType {
		w.change('T', i, st)
		return
	}
	if mode == ModeGitlink {
		if w.submoduleChanged(e) {
			w.change('M', i, st)
		}
		return
	}
	if mode&modeType == modeRegular && !st.IsRegular() {
		w.change('M', i, st) // a FIFO, a socket, a device
		return
	}
	if w.fileMode && mode&modeType == modeRegular && (st.Mode^mode)&modeExecBit != 0 {
		w.change('M', i, st)
		return
	}
	if w.fresh(e, st) {
		return
	}
	// A size that differs settles it. An entry that was written without a look at the file
	// has size zero and says nothing.
	if size := e.size(); size != uint32(st.Size) && size != 0 {
		w.change('M', i, st)
		return
	}
	same, known := w.sameContent(e, st)
	if !known {
		w.approximate = append(w.approximate, e.name)
	}
	if !same {
		w.change('M', i, st)
	}
}

// fresh says whether the file is certainly what the index recorded: its stat data are the
// same, and it was not written in the same instant as the index or later (git's racy-clean
// rule), when a second write could have left the same stat data.
//
// Git compares nanoseconds only if it was built to; comparing them here costs a hash at
// most and finds edits that git misses. A zero means that whoever wrote the index had none.
func (w *worker) fresh(e *entry, st *disk.Stat) bool {
	sec, ns := e.mtime()
	if e.size() != uint32(st.Size) || sec != uint32(st.Mtime) || ns != st.MtimeNs && ns != 0 {
		return false
	}
	if st.Full && !w.minimal {
		if e.u32(20) != uint32(st.Ino) || e.u32(28) != st.UID || e.u32(32) != st.GID {
			return false
		}
		if csec, cns := e.ctime(); w.ctime && (csec != uint32(st.Ctime) || cns != st.CtimeNs && cns != 0) {
			return false
		}
	}
	if w.o.Wary && st.Full && w.doubtful(e, st) {
		return false
	}
	// Git empties the size of racy entries when it writes the index.
	if e.size() == 0 && e.hash(w.ix.hashSize) != w.emptyBlob {
		return false
	}
	if w.mtime == 0 {
		return true
	}
	return st.Mtime < w.mtime || st.Mtime == w.mtime && ns != 0 && st.MtimeNs < w.mtimeNs
}

// maxDoubted and maxDoubtedBytes bound the files that are read though settings tell Git not to mind what is different about them. Where such
// settings are needed, all files can be different: a copy of the whole tree, another machine's disk.
const (
	maxDoubted      = 2000
	maxDoubtedBytes = 64 << 20
)

// doubtful says that a file was written, replaced or given another time since it was recorded, which core.trustctime or core.checkStat
// keep Git from seeing. Size and time are the same, so that a look into it is what can tell.
func (w *worker) doubtful(e *entry, st *disk.Stat) bool {
	if w.ctime && !w.minimal {
		return false // that has been compared
	}
	sec, ns := e.ctime()
	if sec == 0 || sec == uint32(st.Ctime) && (ns == 0 || ns == st.CtimeNs) {
		return false
	}
	return w.doubted.Add(1) <= maxDoubted && w.doubtedBytes.Add(st.Size) <= maxDoubtedBytes
}
