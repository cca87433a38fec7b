package tui

import (
	"testing"
	"time"

	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
)

// TestHeaderSaysThatTheRunIsRecorded: from the beginning of the first recording to the end of the last.
func TestHeaderSaysThatTheRunIsRecorded(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	for _, c := range []struct {
		kind string
		want bool
	}{{megakernel.EventRecording, true}, {megakernel.EventRecording, true}, {megakernel.EventSlowRecording, true}, {megakernel.EventRecorded, true}, {megakernel.EventRecorded, false}} {
		f.happen(megakernel.HostEvent{Kind: c.kind, Text: "to run.mcap"})
		f.step()
		d.update()
		if c.want {
			d.wantOnScreen(" REC")
		} else {
			d.wantNotOnScreen(" REC")
		}
	}
}

// TestHeaderSaysWhatIsCompiledAsLongAsItIs: a message in the footer goes after some seconds, and a driver compiles for longer.
func TestHeaderSaysWhatIsCompiledAsLongAsItIs(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	f.breaks = []breakpoint.Status{{ID: 1, Enabled: true, Pending: true, Compiling: true, Latency: 31 * time.Second}}
	f.snap.Compiling = megakernel.Compiling{Workgroup: f.snap.Workgroup, Elapsed: 31 * time.Second}
	f.step()
	d.update()
	d.wantOnScreen("compiling 31 s", "BREAK 1 PENDING")
	f.snap.Compiling = megakernel.Compiling{}
	f.breaks[0].Pending = false
	f.step()
	d.update()
	d.wantNotOnScreen("compiling")
	d.wantNotOnScreen("PENDING")
}

// TestWhatAReloadDoesToBreakpointsIsSaidInFull: at 80 columns, where they moved to, and which are gone with what they hold.
func TestWhatAReloadDoesToBreakpointsIsSaidInFull(t *testing.T) {
	f := newFake()
	d := newDriver(t, 80, 24, Options{Source: f, Sink: f})
	reloaded := megakernel.HostEvent{Kind: megakernel.EventReloaded, Text: "rounds/rounds.glsl: slice 8000 runs the new text, after 11.0s"}
	f.happen(reloaded, megakernel.HostEvent{Kind: megakernel.EventBreakMoved, Text: "breakpoint 1 moved from rounds/rounds.glsl:6 to line 4"})
	f.step()
	d.update()
	d.wantOnScreen("reloaded; breakpoint 1 moved from rounds/rounds.glsl:6 to line 4")
	f.happen(reloaded, megakernel.HostEvent{Kind: megakernel.EventBreakRemoved, Text: `breakpoint 1 at rounds/rounds.glsl:6 if twice > 3u stop is removed: the name "twice" is not declared; it still holds task 3: resume task 3`})
	f.step()
	d.update()
	d.wantOnScreen("removed: the name", "it still holds task 3: resume")
	d.keys("esc", "0")
	d.wantOnScreen("breakpoint moved ", "breakpoint gone ")
}
