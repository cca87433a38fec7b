package main

import (
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The layouts of <linux/seccomp.h>.
type notification struct {
	ID                 uint64
	PID, Flags         uint32
	Number             int32
	Arch               uint32
	InstructionPointer uint64
	Args               [6]uint64
}

type answer struct {
	ID    uint64
	Value int64
	Error int32
	Flags uint32
}

// filterCalls has the kernel filter the calls of this thread, and of what it executes. Those that the filter is not sure of are
// asked about through a file that is returned, and once asked about are not interrupted by signals.
func filterCalls(code []unix.SockFilter) (listener int, err error) {
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 0, err
	}
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	fd, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_NEW_LISTENER|unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return 0, fmt.Errorf("seccomp: %w", errno)
	}
	return int(fd), nil
}

// receive waits for the next call that the kernel asks about.
func (n *notification) receive(listener int) syscall.Errno {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(n)))
	return errno
}

// send says what becomes of a call.
func (a *answer) send(listener int) syscall.Errno {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(a)))
	return errno
}
