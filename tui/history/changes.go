package history

import "time"

// Never is the age of a word that was not seen to change.
const Never = time.Duration(-1)

// Changes remembers when each word of a buffer, or of a part of one, last changed. The zero value
// is ready.
type Changes struct {
	words []uint32
	at    []time.Duration
}

// Observe takes in the words as they were at a time. Another number of words than before starts
// again.
func (c *Changes) Observe(now time.Duration, words []uint32) {
	if len(words) != len(c.words) {
		c.words = append(c.words[:0], words...)
		c.at = make([]time.Duration, len(words))
		for i := range c.at {
			c.at[i] = Never
		}
		return
	}
	for i, w := range words {
		if w != c.words[i] {
			c.words[i], c.at[i] = w, now
		}
	}
}

// Ages appends, by word, how long before now each last changed, or Never.
func (c *Changes) Ages(dst []time.Duration, now time.Duration) []time.Duration {
	for _, at := range c.at {
		if at != Never {
			at = now - at
		}
		dst = append(dst, at)
	}
	return dst
}

// ControlAges appends, by control word, how long before the newest sample it last changed, or Never.
func (h *History) ControlAges(dst []time.Duration) []time.Duration {
	last, _ := h.last()
	return h.words.Ages(dst, last.Taken)
}
