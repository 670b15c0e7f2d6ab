package repo

import "os"

// holds is not used here: a file that the kernel holds cannot be read by others.
func holds(*os.File) bool { return false }
