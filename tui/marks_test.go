package tui

import (
	"testing"
	"time"
)

// Markers are set at that time on the screen and are places to go to, in a recording and in the past of a live
// target alike.
func TestMarkers(t *testing.T) {
	f := newFake()
	p := &fakeTransport{at: 4 * time.Second, end: 65 * time.Second, speed: 1}
	d := newDriver(t, 80, 24, Options{Source: f, Transport: p})
	d.keys("m", "right", "right", "m", "right")
	for _, tc := range []struct {
		key  string
		want time.Duration
	}{{"{", 6 * time.Second}, {"{", 4 * time.Second}, {"{", 4 * time.Second}, {"}", 6 * time.Second}, {"}", 6 * time.Second}} {
		if d.keys(tc.key); p.at != tc.want {
			t.Errorf("%s goes to %v, want %v", tc.key, p.at, tc.want)
		}
	}
	d.wantOnScreen("no further marker")
	d.keys("m", "{")
	if d.keys("}"); p.at != 4*time.Second || len(d.m.position.marks) != 1 {
		t.Errorf("the marker is still there: at %v, %v", p.at, d.m.position.marks)
	}

	d = newDriver(t, 80, 24, Options{Source: f, Sink: f})
	f.run(d, 10)
	d.keys("m")
	f.run(d, 30)
	d.keys("{")
	d.wantOnScreen("-3.0s")
	d.keys("home")
	d.wantOnScreen("│") // the marker on the bar
}

// A looping recording begins again at its end, until the user goes to the end.
func TestLoop(t *testing.T) {
	f := newFake()
	p := &fakeTransport{at: 64 * time.Second, end: 65 * time.Second, speed: 1, playing: true}
	d := newDriver(t, 80, 24, Options{Source: f, Transport: p})
	d.keys("L")
	p.at, p.playing = p.end, false
	d.m.Update(updated{})
	if p.at != 0 || !p.playing {
		t.Errorf("at %v, playing %v", p.at, p.playing)
	}
	p.playing = false
	d.keys("end")
	d.m.Update(updated{})
	if p.at != p.end || p.playing {
		t.Errorf("after End at %v, playing %v", p.at, p.playing)
	}
}
