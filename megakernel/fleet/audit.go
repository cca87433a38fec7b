package fleet

import (
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"

	"vyretop/megakernel/remote"
	"vyretop/megakernel/safe"
	"vyretop/megakernel/targets"
)

// Entry is a line of the audit: who asked what of which target, and what became of it.
type Entry struct {
	At       time.Time `json:"at"`
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Host     string    `json:"host"`
	Workload string    `json:"workload"`
	Who      string    `json:"who"`
	Level    string    `json:"level"`
	What     string    `json:"what"`
	Error    string    `json:"error,omitempty"` // "" where it was carried out
	Kept     time.Time `json:"kept,omitzero"`   // when the hub got it, by the hub's clock; At is by that of the run's machine
}

// clean leaves nothing in the texts that could be taken for another entry.
func (e *Entry) clean() {
	for _, text := range []*string{&e.ID, &e.Name, &e.Host, &e.Workload, &e.Who, &e.Level, &e.What, &e.Error} {
		*text = safe.Text(*text)
	}
}

// Audit publishes what was asked of the run. It does not wait.
func (p *Publisher) Audit(x remote.Audited) {
	e := Entry{
		At: x.At, ID: p.what.ID, Name: p.what.Name, Host: p.what.Host, Workload: p.what.Workload, Who: x.Who, Level: x.Level.String(), What: x.What,
	}
	if x.Err != nil {
		e.Error = x.Err.Error()
	}
	body, err := json.Marshal(e)
	if err == nil {
		err = p.hub.Publish(subjectAudit+p.what.ID, body)
	}
	if err != nil {
		p.unsent.Add(1)
	}
}

// LateAudit passes on what is asked of a run once the run is announced: its server is there before the hub is.
type LateAudit struct{ to atomic.Pointer[Publisher] }

// Audit publishes what was asked of the run, if it is announced.
func (l *LateAudit) Audit(x remote.Audited) {
	if p := l.to.Load(); p != nil {
		p.Audit(x)
	}
}

// Announce connects to a hub and makes a run reachable there, as Publish does. A hub that cannot be reached is tried again for as long
// as the run lasts, and does not hold it up.
func (l *LateAudit) Announce(a Address, server *remote.Server, what targets.Status) (*Publisher, error) {
	h, err := Connect(a, true)
	if err != nil {
		return nil, err
	}
	p, err := Publish(h, server, what)
	if err == nil {
		l.to.Store(p)
	}
	return p, err
}

// TellChanges makes an Address.Told that tells of a connection in words, once for each change; first is set for the first words.
func TellChanges(tell func(text string, connected, first bool)) func(error) {
	var mu sync.Mutex
	last := ""
	return func(err error) {
		text := "connected to the hub"
		if err != nil {
			text = err.Error()
		}
		mu.Lock()
		defer mu.Unlock()
		if text == last {
			return // each try says the same
		}
		first := last == ""
		last = text
		tell(text, err == nil, first)
	}
}
