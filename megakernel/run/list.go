package run

import (
	"slices"
	"time"

	"vyretop/megakernel/remote"
)

// Listed is a run that can be reached, or one that was detached.
type Listed struct {
	Name     string     `json:"name"`
	State    string     `json:"state"`
	Process  int        `json:"process"`
	Detached *time.Time `json:"detached,omitempty"` // absent for a run that was not detached
	Ended    *time.Time `json:"ended,omitempty"`
	Status   *int       `json:"status,omitempty"` // exit status, of a detached run that has ended
}

// List joins the runs whose sockets are in a directory with the records of detached ones in another. A record is about a live
// run if that has the record's process: another run can have taken the name of one that was killed. Errors are those of
// remote.Live.
func List(sockets, records string) ([]Listed, error) {
	live, err := remote.Live(sockets)
	if err != nil {
		return nil, err
	}
	out := []Listed{}
	for _, r := range ListDetached(records) {
		i := slices.IndexFunc(live, func(x remote.Running) bool { return x.Name == r.Name })
		if i >= 0 && (live[i].Process != r.Process || r.Over()) {
			continue // another run has the name
		}
		x := Listed{Name: r.Name, State: r.State(i >= 0), Process: r.Process, Detached: &r.Detached}
		if r.Over() {
			x.Ended, x.Status = &r.Ended, &r.Status
		}
		out = append(out, x)
	}
	for _, r := range live {
		if !slices.ContainsFunc(out, func(x Listed) bool { return x.Name == r.Name }) {
			out = append(out, Listed{Name: r.Name, State: "runs", Process: r.Process})
		}
	}
	return out, nil
}
