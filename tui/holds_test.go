package tui

import (
	"strings"
	"testing"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/tune"
	"vyretop/tasks"
)

// holdSlot has the task in a slot paused by a command, or by a breakpoint.
func (f *fakeTarget) holdSlot(slot int, flags uint32) {
	w := f.slot(slot)
	w[tasks.WordState], w[tasks.WordResumeEpoch], w[tasks.WordFlags] = uint32(tasks.Paused), megakernel.HeldEpoch, flags
}

// TestResumeAllSaysWhatItResumes: C asked "resume all 16 workers?" where none was paused, and left tasks that were paused by hand
// without a word.
func TestResumeAllSaysWhatItResumes(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.keys("C")
	d.wantOnScreen("nothing is paused or held. resume all 4 workers?")
	d.keys("n")

	f.holdSlot(2, 0)
	f.snap.Seq++
	d.update()
	d.keys("C")
	d.wantOnScreen("1 task paused by hand: c resumes. resume all 4 workers?")
	d.keys("n")

	f.holdSlot(3, tasks.FlagHalted)
	f.setWorker(0, true)
	f.setWorker(1, true)
	f.snap.Seq++
	d.update()
	d.keys("C")
	d.wantOnScreen("resume 2 paused workers, 1 task held by breakpoints?")
	d.keys("y")
	d.wantOnScreen("resume all: applied; 1 task stays paused by hand: c resumes")
}

// TestTheQuestionOfResumeAllFollowsTheTarget: it kept its counts while somebody else resumed the tasks.
func TestTheQuestionOfResumeAllFollowsTheTarget(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	f.holdSlot(2, tasks.FlagHalted)
	f.holdSlot(3, tasks.FlagHalted)
	f.snap.Seq++
	d.update()
	d.keys("C")
	d.wantOnScreen("resume 2 tasks held by breakpoints?")
	f.slot(2)[tasks.WordState] = uint32(tasks.Ready)
	f.snap.Seq++
	d.update()
	d.wantOnScreen("resume 1 task held by breakpoints?")
	f.slot(3)[tasks.WordState] = uint32(tasks.Ready)
	f.snap.Seq++
	d.update()
	d.wantOnScreen("everything has been resumed")
	d.wantNotOnScreen("yes")
	d.keys("y")
	if sent := f.sent(); len(sent) != 0 {
		t.Errorf("sent %+v", sent)
	}
}

// TestMarksStayForTheNextCommand: after p and y on marked tasks the marks were gone, so they could not be resumed together.
func TestMarksStayForTheNextCommand(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.update()
	d.keys("3", "space", "space", "p", "y")
	d.wantOnScreen("2 marked")
	d.keys("c", "y")
	sent := f.sent()
	if len(sent) != 4 || sent[2].Op != megakernel.OpResumeTask || sent[2].Task != sent[0].Task || sent[3].Task != sent[1].Task {
		t.Errorf("sent %+v", sent)
	}
	for i := range fakeSlots {
		f.slot(i)[tasks.WordState] = uint32(tasks.Empty)
	}
	f.snap.Seq++
	d.update()
	d.keys("p")
	d.wantOnScreen("nothing to pause is selected")
}

// TestARefusalNamesTheStateAndAFix: "resume task 1000: illegal in its state" was all that was said.
func TestARefusalNamesTheStateAndAFix(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	d.update()
	f.result = megakernel.AckIllegal
	d.keys("3", "c")
	d.wantOnScreen("resume task 1000: it is ready, and only a paused task can be resumed", "Fix: leave it, it runs in its turn")
}

// TestReadOnlyCommandsSayHowToGetControl: ":epoch +1" without control listed the other commands, and left the prompt open.
func TestReadOnlyCommandsSayHowToGetControl(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f})
	d.update()
	d.keys(":")
	d.typed("epoch +1")
	d.keys("enter")
	d.wantOnScreen(":epoch: this dashboard is read-only. Fix: open it with --control")
	d.keys("esc")
	if d.m.modal != nil {
		t.Errorf("open: %T", d.m.modal)
	}
}

// TestWhatHoldsIsNamedWithItsKey: with everything held by a breakpoint the overview said "parked", and the stall report no key.
func TestWhatHoldsIsNamedWithItsKey(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f, Explain: func(_, _ *megakernel.Snapshot) string { return "held by breakpoint 1: 1 task" }})
	f.holdSlot(3, tasks.FlagHalted)
	f.holdSlot(2, 0)
	f.snap.Phase = megakernel.PhaseParked
	f.snap.Submitted = 1 << 20
	f.snap.Seq++
	d.update()
	d.wantOnScreen("parked, 1 held by breakpoints: C resumes")
	d.keys("S")
	d.wantOnScreen("held by breakpoint 1: 1 task", "C resumes 1 task held by breakpoints; B lists the breakpoints.", "c resumes a task paused by hand")

	watching := newDriver(t, 80, 24, Options{Source: f})
	watching.update()
	watching.wantOnScreen("parked, 1 held by breakpoints")
	watching.wantNotOnScreen("C resumes")
}

// TestALongMessageTakesTheWholeFooter: "verified: …" was cut at 80 columns before the version of the program.
func TestALongMessageTakesTheWholeFooter(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f})
	text := "verified: as expected: steps (17 of 4097 words), 0 of 4096 tasks faulted"
	f.events = append(f.events, megakernel.HostEvent{Kind: megakernel.EventVerified, Text: text[len("verified: "):]})
	d.update()
	d.wantOnScreen(text)
}

// TestTheLastColumnOfASheetStaysOne: at 80 columns the ends of long rows of a stall report and of ";help" began at the left.
func TestTheLastColumnOfASheetStaysOne(t *testing.T) {
	for line, want := range map[string]string{
		"step   go to the next line":  "step   go to the|       next line",
		"go to the next line of it":   "go to the next line|of it",
		"what is far behind   at end": "what is far behind|at end",
	} {
		if got := strings.Join(hung(line, 19), "|"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestNothingIsRecommendedUnderAHold: with all workers paused the header kept a recommended shape, and its gain.
func TestNothingIsRecommendedUnderAHold(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	d.m.target.Device, d.m.target.WorkgroupSize = megakernel.DeviceFacts{VectorWidth: 8, AtOnce: 1, Software: true}, 8
	f.snap.Lanes = 1
	f.run(d, 12)
	d.wantOnScreen("×8 +") // all lanes; how many workers is fitted
	for w := range 4 {
		f.setWorker(w, true)
	}
	f.snap.Seq++
	d.m.feed.advice.of = nil // the next report of occupancy is due
	d.update()
	d.wantNotOnScreen("rec ")
	d.keys("7")
	d.wantOnScreen("nothing is recommended: paused: all workers")
}

// TestAnEditOfTheEpochNamesItsCommand: ":edit control.epoch 3" was answered with how edit is written, which was right already.
func TestAnEditOfTheEpochNamesItsCommand(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	d.update()
	d.keys(":")
	d.typed("edit control.epoch 3")
	d.keys("enter")
	d.wantOnScreen("the kernel keeps control.epoch. Fix: use epoch +N, or epoch N")
	d.keys("esc", ":")
	d.typed("edit control.epoch")
	d.keys("enter")
	d.wantOnScreen("Fix: write :edit ")
}

// TestARefusedShapeLeavesTheHeader: a shape that A had tried and taken back stayed recommended.
func TestARefusedShapeLeavesTheHeader(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	d.m.target.Device, d.m.target.WorkgroupSize = megakernel.DeviceFacts{VectorWidth: 8, AtOnce: 1, Software: true}, 8
	f.snap.Lanes = 1
	f.run(d, 12)
	d.wantOnScreen("×8 +") // all lanes; how many workers is fitted
	advised := d.m.latest.Advice.Shape
	d.m.control.onTried(shapeTried{trial: tune.Trial{From: megakernel.Shape{Workers: 4, Lanes: 1}, To: advised, Pairs: 14, Ratio: 0.7}})
	d.update()
	if got := d.m.latest.Advice.Shape; got == advised {
		t.Errorf("%v is recommended again: %+v", got, d.m.latest.Advice)
	}
}

// TestWhatATrialKeptIsNotImprovedOnByWhatItMeasured: 4x8 was recommended as soon as a trial had found 2x8 to be faster than it.
func TestWhatATrialKeptIsNotImprovedOnByWhatItMeasured(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	d.m.target.Device, d.m.target.WorkgroupSize = megakernel.DeviceFacts{VectorWidth: 8, AtOnce: 1, Software: true}, 8
	f.snap.Lanes = 1
	f.run(d, 12)
	advised, now := d.m.latest.Advice.Shape, megakernel.Shape{Workers: 4, Lanes: 1}
	slower := []tune.Tried{{Shape: advised, Ratio: 1.1}}
	d.m.control.onTried(shapeTried{trial: tune.Trial{From: megakernel.Shape{Workers: 1, Lanes: 1}, To: now, Kept: true, Pairs: 14, Ratio: 2, Others: slower}})
	d.update()
	if got := d.m.latest.Advice.Shape; got == advised {
		t.Errorf("%v is recommended in place of %v, which was measured to be faster", got, now)
	}
}

// TestAPausedStartSaysHowItIsResumed: at 80 columns "run --paused" showed the key that resumes one worker, and not the one that starts
// the run.
func TestAPausedStartSaysHowItIsResumed(t *testing.T) {
	f := newFake()
	for w := range 4 {
		f.setWorker(w, true)
	}
	f.snap.Phase, f.snap.Submitted = megakernel.PhaseParked, 1<<20
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.update()
	d.wantOnScreen("parked, C resumes")
	f.setWorker(0, false)
	f.snap.Seq++
	d.update()
	d.wantNotOnScreen("C resumes")
}

// TestReadOnlyDashboardsShowBreakpoints: a dashboard without control had no BREAK badge, and B said that the target had no breakpoints.
func TestReadOnlyDashboardsShowBreakpoints(t *testing.T) {
	f := newFake()
	if _, err := f.Arm(t.Context(), breakpoint.Breakpoint{Condition: "op=7"}); err != nil {
		t.Fatal(err)
	}
	d := newDriver(t, 100, 24, Options{Source: f})
	d.update()
	d.wantOnScreen("BREAK 1")
	d.keys("B")
	d.wantOnScreen("op=7", "read-only   Esc closes")
	d.keys("c", "d", "D", "space")
	if n := len(f.Breakpoints()); n != 1 {
		t.Errorf("%d breakpoints, want 1", n)
	}
}

// TestAHandPausedTaskIsNamedInTheHeader: with one task paused and all others done the header said "parked" at 99 %.
func TestAHandPausedTaskIsNamedInTheHeader(t *testing.T) {
	f := newFake()
	f.holdSlot(2, 0)
	f.snap.Phase = megakernel.PhaseParked
	f.snap.Submitted = 1 << 20
	f.snap.Seq++
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	d.update()
	d.wantOnScreen("parked, 1 task paused")
}
