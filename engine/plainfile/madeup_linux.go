package plainfile

import (
	"os"
	"syscall"
)

// Kinds of file systems whose files look regular and may block, by the numbers of statfs(2).
var madeUpSystems = map[int64]bool{0x9fa0: true /* proc */, 0x62656572: true /* sysfs */, 0x64626720: true /* debugfs */, 0x74726163: true /* tracefs */}

// madeUp reports whether the kernel makes up what a file holds, as it does in /proc.
func madeUp(f *os.File) bool {
	var s syscall.Statfs_t
	return syscall.Fstatfs(int(f.Fd()), &s) == nil && madeUpSystems[int64(s.Type)]
}
