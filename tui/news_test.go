package tui

import (
	"strings"
	"testing"

	"vyretop/megakernel"
)

// TestAWrongResultIsSeen: the outcome of a verification is in the footer when it comes, and a wrong result stays in
// the header for as long as that is so.
func TestAWrongResultIsSeen(t *testing.T) {
	f := newFake()
	d := newDriver(t, 120, 40, Options{Source: f, Sink: f})
	for _, step := range []struct {
		event  megakernel.HostEvent
		footer string
		badge  bool
	}{
		{megakernel.HostEvent{Kind: megakernel.EventUndefined, Text: "a.glsl:1:2: write out of range"}, "undefined in GLSL: a.glsl:1:2: write out of range", false},
		{megakernel.HostEvent{Kind: megakernel.EventVerificationFailed, Text: "word 0 is 1"}, "the result is wrong: word 0 is 1", true},
		{megakernel.HostEvent{Kind: "error", Text: "another"}, "the result is wrong: word 0 is 1", true},
		{megakernel.HostEvent{Kind: megakernel.EventVerified, Text: "as expected"}, "verified: as expected", false},
	} {
		f.events = append(f.events, step.event)
		f.advance()
		d.update()
		screen := d.screen()
		if !strings.Contains(screen, step.footer) || strings.Contains(screen, "WRONG RESULT") != step.badge {
			t.Errorf("after %q, want %q, badge %v:\n%s", step.event.Kind, step.footer, step.badge, screen)
		}
	}
}
