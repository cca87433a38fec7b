package run

import (
	"context"
	"slices"
	"sync"
	"time"

	"vyretop/megakernel/health"
	"vyretop/megakernel/remote"
)

// Listed is a run that can be reached, one whose kernel is compiled, or one that was detached.
type Listed struct {
	Name     string     `json:"name"`
	State    string     `json:"state"`
	Process  int        `json:"process"`
	Detached *time.Time `json:"detached,omitempty"`        // absent for a run that was not detached
	Since    *time.Time `json:"compiling_since,omitempty"` // absent once it can be reached
	Ended    *time.Time `json:"ended,omitempty"`
	Status   *int       `json:"status,omitempty"` // exit status, of a detached run that has ended
}

// List joins the runs whose sockets are in a directory with those that are announced in another and the records of detached
// ones in a third. A record is about a live
// run if that has the record's process: another run can have taken the name of one that was killed. Errors are those of
// remote.Live.
func List(ctx context.Context, sockets, announced, records string) ([]Listed, error) {
	starting := ListStarting(announced) // first: a run that comes in between is in both
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
	recorded := len(out)
	for _, r := range live {
		if !slices.ContainsFunc(out, func(x Listed) bool { return x.Name == r.Name }) {
			out = append(out, Listed{Name: r.Name, Process: r.Process})
		}
	}
	var asked sync.WaitGroup // all at once: one that does not answer takes askTime
	for i := range out[recorded:] {
		x := &out[recorded+i]
		asked.Go(func() { x.State = howFar(ctx, sockets, x.Name) })
	}
	asked.Wait()
	for _, s := range starting {
		if !slices.ContainsFunc(live, func(r remote.Running) bool { return r.Process == s.Process }) {
			out = append(out, Listed{Name: s.Name, State: s.State(time.Now()), Process: s.Process, Since: &s.Since})
		}
	}
	return out, nil
}

// askTime is how long a run may take to say how far it is.
const askTime = 2 * time.Second

// howFar is "finished" for a run whose work has ended and that is kept, on the screen of its dashboard for example; else "runs",
// also for one that does not answer.
func howFar(ctx context.Context, dir, name string) string {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	c, err := remote.Dial(ctx, name, remote.DialOptions{Dir: dir, Client: "vyretop list", NoLog: true})
	if err != nil {
		return "runs"
	}
	defer c.Close()
	if s, err := c.First(ctx); err == nil && health.Judge(s, nil).Kind == health.Finished {
		return "finished"
	}
	return "runs"
}
