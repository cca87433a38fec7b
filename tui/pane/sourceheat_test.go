package pane

import (
	"strings"
	"testing"

	"vyretop/engine/debugger"
	"vyretop/engine/debugger/repl"
)

// TestHotLinesAreMarked: the more of the steps a line takes, the denser its mark; a line that takes few has none.
func TestHotLinesAreMarked(t *testing.T) {
	shot := &sourceShot{lines: repl.Highlight("a\nb\nc\nd\ne\n"), breaks: map[int]bool{}}
	shot.executed.lines = map[int]debugger.Executed{1: {Share: 0.01}, 2: {Share: 0.07}, 3: {Share: 0.2}, 4: {Share: 0.6}}
	p := &sourcePane{Env: &Env{Look: look()}, shot: shot}
	var got strings.Builder
	for row := range strings.SplitSeq(paint(20, 5, p.drawSource), "\n") {
		got.WriteRune([]rune(row + strings.Repeat(" ", sourceGutter))[sourceGutter-1])
	}
	if want := " ▒▓█"; strings.TrimRight(got.String(), " ") != want {
		t.Errorf("lines are marked %q, want %q", got.String(), want)
	}
}
