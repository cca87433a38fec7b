package progress

import (
	"fmt"
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
			Draw(w, width, text)
			<-ended
			Erase(w)
		}
	}()
	return func() {
		close(ended)
		<-erased
	}
}

// Draw draws a line over the one before, as far as it fits.
func Draw(w io.Writer, width int, text string) { io.WriteString(w, eraseLine+cut(text, width-1)) }

// Erase empties the line of a terminal on which something else is to be said; what is drawn again appears below.
func Erase(w io.Writer) { io.WriteString(w, eraseLine) }

// Since says on a terminal how long something takes already, as often as Interval, if that takes long. Format has one %v
// for the time. The function that it returns erases the line.
func Since(w io.Writer, width func() int, format string, since time.Time) (done func()) {
	return While(w, width, func() string { return fmt.Sprintf(format, time.Since(since).Round(Interval)) })
}

// While says on a terminal what text returns, as often as Interval, and nothing where that is "". The function that it
// returns erases the line.
func While(w io.Writer, width func() int, text func() string) (done func()) {
	ended, erased := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(erased)
		ticks := time.NewTicker(Interval)
		defer ticks.Stop()
		drawn := false
		for {
			select {
			case <-ended:
				if drawn {
					Erase(w)
				}
				return
			case <-ticks.C:
				now := text()
				if now != "" || drawn {
					Draw(w, width(), now)
				}
				drawn = now != ""
			}
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
