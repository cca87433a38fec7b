package tui_test

import (
	"fmt"
	"strings"
	"testing"

	"vyretop/fixtures"
	"vyretop/tui"
)

// openDemo is a dashboard on the recording that is part of the program, held at its beginning.
func openDemo(t *testing.T) (*tui.Headless, *fixtures.Player) {
	t.Helper()
	rec, err := fixtures.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	player := fixtures.NewPlayer(rec, nil)
	t.Cleanup(func() { _ = player.Close() })
	x, err := tui.NewHeadless(t.Context(), tui.Options{Source: player, Transport: player, Version: "test", Environ: looks["mono"]}, 120, 40)
	if err != nil {
		t.Fatal(err)
	}
	return x, player
}

// A recording is searched ahead of what was played: for what happens to a worker, and for text in the log.
func TestSearchOfARecording(t *testing.T) {
	x, player := openDemo(t)
	x.Press("2", ".")
	next, _ := player.Samples()
	worker := func(n int) string {
		return fmt.Sprint(player.Sample(n).WorkerRecords()[0].State, player.Sample(n).WorkerRecords()[0].Slot)
	}
	for n := 1; n < next; n++ {
		if worker(n) != worker(0) {
			t.Errorf("worker 0 changes at sample %d already, not first at %d", n, next)
		}
	}
	if next == 0 || worker(next) == worker(next-1) {
		t.Errorf("at sample %d, where nothing happens to worker 0", next)
	}
	x.Press("home")
	x.Type(":seek ~yield")
	x.Press("enter")
	all := player.AllLog(0, 1<<20)
	at, _ := player.Position()
	target := player.Target()
	for i := range all {
		if strings.Contains(all[i].Text(target.Formats), "yield") {
			if want := player.LogTime(all[i].Number); at != want {
				t.Errorf("at %v, want %v, where record %d was read", at, want, all[i].Number)
			}
			return
		}
	}
	t.Fatal("no record of the demo has that text: look for another one")
}
