package gl

import (
	"fmt"
	"sync"
	"testing"
)

// TestMessagesAreBounded adds more than is kept, from several goroutines, and expects every one to be
// kept or counted.
func TestMessagesAreBounded(t *testing.T) {
	var l messageLog
	var wg sync.WaitGroup
	const writers, each = 4, maxMessages
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				l.add(Message{Text: fmt.Sprint(w, i)})
			}
		})
	}
	wg.Wait()
	kept, dropped := l.read()
	if len(kept) != maxMessages || len(kept)+dropped != writers*each {
		t.Errorf("%d kept, %d dropped of %d", len(kept), dropped, writers*each)
	}
	l.add(Message{Text: "newest"})
	if kept, _ := l.read(); kept[len(kept)-1].Text != "newest" {
		t.Error("the newest message is not the last")
	}
}

// TestDeviceLabels pins the names that recordings and --device messages show.
func TestDeviceLabels(t *testing.T) {
	for want, d := range map[string]DeviceInfo{
		"egl:device/0 /dev/dri/card0": {Platform: "device", DRMNode: "/dev/dri/card0"},
		"egl:device/12 software":      {Index: 12, Platform: "device", Software: true},
		"egl:surfaceless":             {Index: 3, Platform: "surfaceless"},
	} {
		if got := d.Label(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
