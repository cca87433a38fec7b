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
		signal os.Signal
		after  time.Duration
		want   bool
	}{
		{os.Interrupt, time.Millisecond, false}, {syscall.SIGTERM, time.Millisecond, true}, {syscall.SIGTERM, time.Second, false},
		{syscall.SIGHUP, time.Millisecond, true}, {syscall.SIGHUP, time.Hour, true},
	} {
		seen, now := repeats{}, time.Now()
		if seen.repeated(tt.signal, now) {
			t.Errorf("the first %v is a repetition", tt.signal)
		}
		if got := seen.repeated(tt.signal, now.Add(tt.after)); got != tt.want {
			t.Errorf("%v after %v: %v, want %v", tt.signal, tt.after, got, tt.want)
		}
	}
}
