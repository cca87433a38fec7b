package tui

import "golang.org/x/sys/unix"

// parentOf asks the kernel for the parent of a process.
func parentOf(pid int) (int, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return 0, err
	}
	return int(info.Eproc.Ppid), nil
}
