package repo

import "syscall"

const sysFstatat = syscall.SYS_NEWFSTATAT
