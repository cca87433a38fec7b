package progress

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestLine(t *testing.T) {
	tests := []struct {
		name        string
		width       int
		done, total int64
		elapsed     time.Duration
		want        string
	}{
		{"not begun", 80, 0, 0, 0, "0 bytes"},
		{"total unknown", 80, 150_000, 0, time.Second, "150k bytes, 150k bytes/s, 1s"},
		{"half way", 100, 500, 1000, 2 * time.Second, " 50 % [############------------] 500 of 1000 bytes, 250 bytes/s, 2s"},
		{"done", 100, 1000, 1000, 0, "100 % [########################] 1000 of 1000 bytes"},
		{"more than all", 100, 2000, 1000, 0, "100 % [########################] 2000 of 1000 bytes"},
		{"narrow", 50, 500, 1000, time.Second, " 50 % [############------------] "},
		{"very narrow", 7, 500, 1000, time.Second, " 50 % "},
		{"no room", 1, 500, 1000, time.Second, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Line(tt.width, tt.done, tt.total, "bytes", tt.elapsed); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestLineFitsAnyTerminal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(0, 300).Draw(t, "width")
		line := Line(width, rapid.Int64Min(0).Draw(t, "done"), rapid.Int64Min(0).Draw(t, "total"), "bytes", time.Duration(rapid.Int64Min(0).Draw(t, "elapsed")))
		if n := utf8.RuneCountInString(line); n > 0 && n >= width {
			t.Fatalf("%d columns of %d: %q", n, width, line)
		}
	})
}

func TestShowDrawsAtEachTickAndErasesAtTheEnd(t *testing.T) {
	var b strings.Builder
	ended := make(chan struct{})
	ticks, drawn := make(chan time.Time), make(chan bool)
	n := int64(0)
	from := func() (int64, int64, string) { n++; return n, 4, "files" }
	go func() {
		show(ended, &b, func() int { return 80 }, from, ticks, func() time.Time { return time.Unix(0, 0) })
		close(drawn)
	}()
	ticks <- time.Time{}
	ticks <- time.Time{}
	close(ended)
	<-drawn
	want := "\r\x1b[K 25 % [######------------------] 1 of 4 files\r\x1b[K 50 % [############------------] 2 of 4 files\r\x1b[K"
	if b.String() != want {
		t.Errorf("wrote %q, want %q", b.String(), want)
	}
}
