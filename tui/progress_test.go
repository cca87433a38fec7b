package tui

import (
	tea "charm.land/bubbletea/v2"
	"strings"
	"testing"
	"time"

	"vyretop/megakernel"
)

// TestProgressIsShownAtTheReferenceSize: percent, amount, rate, time left and activations per second at 80x24, and what
// came of the work for as long as the dashboard is open.
func TestProgressIsShownAtTheReferenceSize(t *testing.T) {
	f := newFake()
	f.snap.Progress = megakernel.Progress{Total: 15_360_000, Unit: "samples"}
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	for range 40 {
		f.snap.Progress.Done += 12_000
		f.run(d, 1)
	}
	d.wantOnScreen("  3% ", "480k/15.4M samples", " 120k/s ", " left ", " acts/s")
	if n := strings.Count(d.screen(), "acts/s"); n != 1 {
		t.Errorf("activations per second are shown %d times", n)
	}
	f.snap.Progress.Done, f.snap.Phase = f.snap.Progress.Total, megakernel.PhaseParked
	f.events = append(f.events, megakernel.HostEvent{Kind: megakernel.EventResult, Text: "15.4M samples in 2m8s, 120k samples/s", Digest: strings.Repeat("3ffa9c12", 8)})
	f.run(d, 1)
	d.wantOnScreen(" FINISHED, verifying ", "15.4M samples in 2m8s, 120k samples/s", "sha256 3ffa9c123ff…") // and not cut off as if it were whole
	f.events = append(f.events, megakernel.HostEvent{Kind: megakernel.EventVerified, Text: "rendered again, equal"})
	d.clock = d.clock.Add(time.Minute)
	f.run(d, 3)
	d.wantOnScreen(" FINISHED, verified ", "15.4M samples in 2m8s")
	d.keys("A")
	d.wantOnScreen("no recommendation to apply: the run has finished")
	for key, name := range map[string]string{"p": "pause", "s": "step"} { // was "worker 0 is absent: pause it with p, then step", and sent
		d.keys(key)
		d.wantOnScreen("nothing to " + name + ": the run has finished")
	}
	if got := f.sent(); len(got) != 0 {
		t.Errorf("sent to a finished run: %v", got)
	}
	d.send(tea.WindowSizeMsg{Width: 200, Height: 60})
	d.wantOnScreen("sha256 "+strings.Repeat("3ffa9c12", 8), " rendered again, equal")
	f.events = append(f.events, megakernel.HostEvent{Kind: megakernel.EventVerificationFailed, Text: "pixel 3, 4 is wrong"})
	f.run(d, 1)
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	d.wantOnScreen(" FINISHED, VERIFICATION FAILED ", "pixel 3, 4 is wrong")
}

// TestWrittenOutputsAreOnTheResultPanel: the screen did not say whether the files of --out were there.
func TestWrittenOutputsAreOnTheResultPanel(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 24, Options{Source: f, Sink: f})
	f.snap.Phase = megakernel.PhaseParked
	f.events = append(f.events, megakernel.HostEvent{Kind: megakernel.EventWritten, Text: "buffer image was written to image.bin"},
		megakernel.HostEvent{Kind: megakernel.EventResult, Text: "15.4M samples in 2m8s", Digest: strings.Repeat("3ffa9c12", 8)})
	f.run(d, 1)
	d.wantOnScreen("15.4M samples in 2m8s", "buffer image was written to image.bin")
	f.events = append(f.events, megakernel.HostEvent{Kind: "error", Text: megakernel.NotWritten + "b.bin: the disk is full"}, megakernel.HostEvent{Kind: megakernel.EventVerified, Text: "rendered again, equal"})
	f.run(d, 1)
	d.send(tea.WindowSizeMsg{Width: 200, Height: 60})
	d.wantOnScreen(" FINISHED, verified ", "rendered again, equal; buffer image was written to image.bin; --out: b.bin: the disk is full")
}

// TestAVerificationThatCannotBeDoneIsNotUnderWay: the dashboard said nothing of a verification that took minutes.
func TestAVerificationThatCannotBeDoneIsNotUnderWay(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	f.snap.Phase = megakernel.PhaseParked
	f.events = append(f.events, megakernel.HostEvent{Kind: megakernel.EventResult, Text: "15.4M samples in 2m8s"})
	f.run(d, 1)
	d.wantOnScreen(" FINISHED, verifying ")
	f.events = append(f.events, megakernel.HostEvent{Kind: "error", Text: "kernel variant with breakpoints: too large"})
	f.run(d, 1)
	d.wantOnScreen(" FINISHED, verifying ")
	f.events = append(f.events, megakernel.HostEvent{Kind: "error", Text: megakernel.NotVerifiable + "out of memory"})
	f.run(d, 1)
	d.wantOnScreen(" FINISHED ")
}

// TestUnknownProgressTakesNoRoom: without a total there is no percentage, and without progress no line.
func TestUnknownProgressTakesNoRoom(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	f.run(d, 12)
	if strings.Contains(d.screen(), "samples") || !strings.Contains(strings.Split(d.screen(), "\n")[2], "tasks/s") {
		t.Errorf("a line without progress:\n%s", d.screen())
	}
	f.snap.Progress = megakernel.Progress{Done: 7, Unit: "samples\x1b[2J"}
	f.run(d, 12)
	d.wantOnScreen("7 samples", "/s")
	if row := strings.Split(d.screen(), "\n")[2]; strings.Contains(row, "%") || strings.Contains(row, "left") || strings.Contains(row, "\x1b[2J") {
		t.Errorf("progress without a total: %q", row)
	}
}
