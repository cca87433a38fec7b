package tui

import (
	"bytes"
	"os"
	"strconv"
)

// parentOf reads who has started a process: the second field behind its name, in parentheses, of its stat file
// (proc(5)).
func parentOf(pid int) (int, error) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 2 {
		return 0, os.ErrInvalid
	}
	return strconv.Atoi(string(fields[1]))
}
