package fleet

import (
	"encoding/json"
	"time"

	"vyretop/megakernel/remote"
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
