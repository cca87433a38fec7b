package gl

import "sync"

// maxMessages bounds the messages kept; the oldest go first.
const maxMessages = 256

// Message is one thing that the driver or a probe had to say.
type Message struct {
	Source   string `json:"source"`   // "api", "shader compiler", "probe", …
	Severity string `json:"severity"` // "high", "medium", "low", "note"
	ID       uint32 `json:"id,omitempty"`
	Text     string `json:"text"`
}

// messageLog keeps the newest messages; safe for concurrent use.
type messageLog struct {
	mu      sync.Mutex
	kept    []Message
	dropped int
}

func (l *messageLog) add(m Message) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) == maxMessages {
		l.kept = append(l.kept[:0], l.kept[1:]...)
		l.dropped++
	}
	l.kept = append(l.kept, m)
}

// read returns the kept messages, oldest first, and how many older ones were dropped.
func (l *messageLog) read() ([]Message, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Message(nil), l.kept...), l.dropped
}
