package tui

import (
	"time"

	"vyretop/megakernel/health"
	"vyretop/tui/history"
	"vyretop/tui/pane"
)

// feed is what came from the source, and when to ask it again.
type feed struct {
	*shared

	source   Source
	updates  <-chan struct{}
	fps      int
	interval time.Duration // between two reads of the source
	cost     time.Duration // of the last read
	blurred  bool          // the terminal lost the focus
	ended    bool          // the source said that nothing newer will come
	arrived  time.Time     // when the latest snapshot was seen
	still    bool          // the newest snapshot shows nothing new but the time

	past    *history.History
	log     logStore
	events  eventStore
	spare   *pane.Frame // memory of an earlier frame
	advice  advice
	earlier health.Lookback
}
