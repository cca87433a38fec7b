package tui_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"vyretop/engine/units"
	"vyretop/fixtures"
	"vyretop/megakernel/words"
	"vyretop/tui"
)

// scanRecording is a recorded run of scan.
const scanRecording = "../fixtures/testdata/scan.mcap"

// openScan is a dashboard on that recording, held at its beginning.
func openScan(t *testing.T) (*tui.Headless, *fixtures.Player) {
	t.Helper()
	rec, err := fixtures.Open(scanRecording)
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
	x, player := openScan(t)
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
	typeText(x, ":seek ~yield")
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

// After a seek, the log says of the records that were passed over when they were read, not when the seek was.
func TestLogAfterASeekKnowsItsTimes(t *testing.T) {
	x, player := openScan(t)
	typeText(x, ":seek 1s")
	x.Press("enter", "5", "g")
	screen := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(x.Frame(), "")
	records := player.Log(0, 1<<20)
	kept := records[max(len(records)-8192, 0):]
	if len(kept) < 8 || player.LogTime(kept[7].Number) > time.Second/2 {
		t.Fatal("the demo's log is another one: look for another snapshot")
	}
	for _, r := range kept[:8] {
		want := fmt.Sprintf(`\b%d +%s\b`, r.Number, regexp.QuoteMeta(units.Clock(player.LogTime(r.Number))))
		if !regexp.MustCompile(want).MatchString(screen) {
			t.Errorf("nothing on screen is like %s, of record %d:\n%s", want, r.Number, screen)
		}
	}
}

// Two times of a recording are compared as the command does, decoded, and the filter and the clipboard work on them.
func TestDiffOfARecording(t *testing.T) {
	x, player := openScan(t)
	a, b := player.SampleAt(100*time.Millisecond), player.SampleAt(time.Second)
	want := words.Diff(nil, a, b, false, math.MaxInt)
	if want.Total < 100 || want.Volatile == 0 {
		t.Fatalf("%d words of the demo differ, %d of them volatile: look for other snapshots", want.Total, want.Volatile)
	}
	screen := func() string { return regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(x.Frame(), "") }
	typeText(x, ":diff 0.1s 1s")
	x.Press("enter")
	for _, text := range []string{
		"A " + units.Clock(a.Taken), "B " + units.Clock(b.Taken), strconv.Itoa(want.Total) + "  by word", strconv.Itoa(want.Volatile) + " volatile",
	} {
		if !strings.Contains(screen(), text) {
			t.Errorf("nothing says %q:\n%s", text, screen())
		}
	}
	typeText(x, "/meaning~^yielded.*done")
	x.Press("enter")
	if !regexp.MustCompile(`slot\[\d+\].state +5 +3 +yielded → done`).MatchString(screen()) {
		t.Errorf("no state is decoded:\n%s", screen())
	}
}

// The line of chips stays where it is when nothing tells rows apart any longer: the table below it does not jump.
func TestChipsKeepTheirLine(t *testing.T) {
	x, _ := openScan(t)
	x.Press("3", "end")
	screen := func() []string {
		return strings.Split(regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(x.Frame(), ""), "\n")
	}
	for _, key := range []string{"delete", "F", "space"} {
		x.Press(key)
		if line := screen()[9]; !strings.HasPrefix(line, "F state:") {
			t.Errorf("after %s: %q", key, strings.Join(screen(), "\n"))
		}
	}
}

// typeText types a text, character by character.
func typeText(x *tui.Headless, text string) {
	for _, r := range text {
		if r == ' ' {
			x.Press("space")
		} else {
			x.Press(string(r))
		}
	}
}

// TestTimesBeforeTheFirstSnapshotAreNotCompared: ":diff 0 1s" showed the view as if nothing had been asked for.
func TestTimesBeforeTheFirstSnapshotAreNotCompared(t *testing.T) {
	x, player := openScan(t)
	if player.SampleAt(0) != nil {
		t.Fatal("the demo has a snapshot at 0: look for another recording")
	}
	typeText(x, ":diff 0 1s")
	x.Press("enter")
	if screen := x.Frame(); !strings.Contains(screen, "no snapshot at 00:00.0: it is before the first one") {
		t.Errorf("screen:\n%s", screen)
	}
}
