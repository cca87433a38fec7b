package progress

import (
	"io"
	"time"
)

// noteAfter is how long something may take before a note says what it is.
const noteAfter = 300 * time.Millisecond

// Note says on a terminal what is being waited for, if that takes long. The function that it returns erases it;
// nothing is written afterwards.
func Note(w io.Writer, width int, text string) (done func()) {
	ended, erased := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(erased)
		select {
		case <-ended:
		case <-time.After(noteAfter):
			io.WriteString(w, eraseLine+cut(text, width-1))
			<-ended
			io.WriteString(w, eraseLine)
		}
	}()
	return func() {
		close(ended)
		<-erased
	}
}

// cut keeps the first n characters.
func cut(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:max(n, 0)])
	}
	return text
}
