package pane

import (
	"strings"
	"testing"

	"vyretop/engine/debugger"
	"vyretop/tui/cells"
)

// TestLanesOfATaskThatAllLanesRun: what differs from lane to lane was not to be seen. Uniform values stand among the variables, and
// columns that do not fit are left out.
func TestLanesOfATaskThatAllLanesRun(t *testing.T) {
	shot := &sourceShot{lanes: debugger.Lanes{
		Lanes: []int{0, 1, 2}, Active: []bool{true, false, true},
		Columns: []debugger.Column{
			{Expr: "same", Values: []string{"7", "7", "7"}}, {Expr: "mine", Values: []string{"0", "3", "6"}},
			{Expr: "wide", Values: []string{"vec3(1, 2, 3)", "vec3(4, 5, 6)", "vec3(7, 8, 9)"}},
		},
	}}
	draw := func(w, h int) string {
		return paint(w, h, func(a cells.Area) {
			p := &sourcePane{Env: &Env{Look: look()}, shot: shot}
			(&stateWriter{p: p, a: a}).lanes()
		})
	}
	got := draw(40, 8)
	for _, want := range []string{"lanes 2 of 3 active", "lane mine          wide", "   1    3 vec3(4, 5, 6)", "   2    6"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "same") || strings.Contains(draw(20, 8), "vec3") || strings.Contains(draw(40, 3), "   1    3") {
		t.Errorf("it shows what it must not:\n%s\n%s", got, draw(20, 8))
	}
	shot.lanes.Columns = shot.lanes.Columns[:1]
	if got := draw(50, 3); !strings.Contains(got, "the same in all lanes") {
		t.Errorf("without a difference:\n%s", got)
	}
}
