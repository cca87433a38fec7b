package main

import (
	"os"
	"syscall"
	"testing"
	"time"
)

// Which signals are of the same cause as one before.
func TestRepeatedSignals(t *testing.T) {
	for _, tt := range []struct {
		signal    os.Signal
		after     time.Duration
		forwarded bool
		want      bool
	}{
		{os.Interrupt, time.Millisecond, false, false}, {os.Interrupt, time.Millisecond, true, true}, {os.Interrupt, time.Second, true, false},
		{syscall.SIGTERM, time.Millisecond, false, true}, {syscall.SIGTERM, time.Second, true, false},
		{syscall.SIGHUP, time.Millisecond, false, true}, {syscall.SIGHUP, time.Hour, false, true},
	} {
		seen, now := repeats{}, time.Now()
		if seen.repeated(tt.signal, now, tt.forwarded) {
			t.Errorf("the first %v is a repetition", tt.signal)
		}
		if got := seen.repeated(tt.signal, now.Add(tt.after), tt.forwarded); got != tt.want {
			t.Errorf("%v after %v: %v, want %v", tt.signal, tt.after, got, tt.want)
		}
	}
}
