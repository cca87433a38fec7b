package progress

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestNote(t *testing.T) {
	for _, tt := range []struct {
		name  string
		takes time.Duration
		width int
		want  string
	}{
		{"short waits are not worth a note", noteAfter - 1, 80, ""},
		{"a long one is", noteAfter + 1, 80, eraseLine + "compiling the kernel" + eraseLine},
		{"a narrow terminal keeps it in a line", time.Hour, 10, eraseLine + "compiling" + eraseLine},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out strings.Builder
				done := Note(&out, tt.width, "compiling the kernel")
				<-time.After(tt.takes) // of the fake clock
				done()
				if out.String() != tt.want {
					t.Errorf("wrote %q, want %q", out.String(), tt.want)
				}
			})
		})
	}
}
