package main

import (
	"testing"
	"time"
)

// TestAWaitLineIsNotCut: "compiling the kernel ... (last time 5.7s" lost its bracket on 80 columns.
func TestAWaitLineIsNotCut(t *testing.T) {
	const text, takes = "compiling the kernel for llvmpipe (LLVM 15.0.6, 256 bits)", 12300 * time.Millisecond
	for _, tt := range []struct {
		width int
		last  time.Duration
		want  string
	}{
		{120, 5690 * time.Millisecond, text + ", 12.3s (last time 5.7s)"},
		{79, 5690 * time.Millisecond, text + ", 12.3s (last 5.7s)"},
		{70, 5690 * time.Millisecond, text + ", 12.3s"},
		{120, 0, text + ", 12.3s"},
	} {
		if got := waitLine(tt.width, text, takes, tt.last); got != tt.want {
			t.Errorf("%d columns, last time %v: %q, want %q", tt.width, tt.last, got, tt.want)
		}
	}
}
