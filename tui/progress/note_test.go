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

// TestANoteIsDrawnOnlyWhileThereIsOne: commands said nothing while the run compiled a kernel for them.
func TestANoteIsDrawnOnlyWhileThereIsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		texts := []string{"", "compiling", "compiling", "", ""}
		done := While(&out, func() int { return 80 }, func() string {
			text := texts[0]
			if len(texts) > 1 {
				texts = texts[1:]
			}
			return text
		})
		<-time.After(Interval*10 + 1) // of the fake clock
		done()
		if want := eraseLine + "compiling" + eraseLine + "compiling" + eraseLine; out.String() != want {
			t.Errorf("wrote %q, want %q", out.String(), want)
		}
	})
}
