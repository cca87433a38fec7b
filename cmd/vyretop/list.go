package main

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"vyretop/megakernel/remote"
	"vyretop/megakernel/run"
)

// listSchema names the document of list.
const listSchema = "vyretop.list/1"

// listed is a run as list shows it.
type listed struct {
	Name     string     `json:"name"`
	State    string     `json:"state"`
	Process  int        `json:"process"`
	Detached *time.Time `json:"detached,omitempty"` // absent for a run that was not detached
	Ended    *time.Time `json:"ended,omitempty"`
	Status   *int       `json:"status,omitempty"` // exit status, of a detached run that has ended
}

func newList(a *app, _ []string) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List live runs, and detached runs that have ended",
		Long: "list shows the user's live runs, and detached runs that have ended: vyretop attach NAME prints the summary of an ended run. A later detached run of the same name replaces it.",
		Args: arguments(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			list, err := a.list()
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(a.stdout, struct {
					Schema string   `json:"schema"`
					Runs   []listed `json:"runs"`
				}{listSchema, list})
			}
			return writeList(a.stdout, list)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with a schema member")
	return c
}

// list joins the live runs with the records of detached ones. A record is about a live run if that has the record's process:
// another run can have taken the name of one that was killed.
func (a *app) list() ([]listed, error) {
	live, err := remote.Live(remote.Dir(a.env))
	if err != nil {
		return nil, err
	}
	out := []listed{}
	for _, r := range run.ListDetached(run.DetachedDir(a.env)) {
		i := slices.IndexFunc(live, func(x remote.Running) bool { return x.Name == r.Name })
		if i >= 0 && (live[i].Process != r.Process || r.Over()) {
			continue // another run has the name
		}
		x := listed{Name: r.Name, State: r.State(i >= 0), Process: r.Process, Detached: &r.Detached}
		if r.Over() {
			x.Ended, x.Status = &r.Ended, &r.Status
		}
		out = append(out, x)
	}
	for _, r := range live {
		if !slices.ContainsFunc(out, func(x listed) bool { return x.Name == r.Name }) {
			out = append(out, listed{Name: r.Name, State: "runs", Process: r.Process})
		}
	}
	return out, nil
}

func writeList(w io.Writer, list []listed) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(w, "no runs. Start one: vyretop run WORKLOAD")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, x := range list {
		how := fmt.Sprintf("process %d", x.Process)
		if x.Detached != nil {
			how = fmt.Sprintf("detached %s, process %d", x.Detached.Format(time.DateTime), x.Process)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", x.Name, x.State, how)
	}
	return t.Flush()
}

// showResult prints what a detached run that has ended has left, and reports whether there is such a run.
func (a *app) showResult(name string) (shown bool, err error) {
	r, ok := run.FindDetached(run.DetachedDir(a.env), name)
	if !ok {
		return false, nil
	}
	text, err := r.Text()
	if err != nil {
		return true, err
	}
	if !r.Over() {
		return true, remote.Lost(name, fmt.Errorf("it was detached, and its process %d is gone without a result", r.Process))
	}
	a.status = r.Status
	_, err = fmt.Fprintf(a.stdout, "%sended %s, exit status %d\n", text, r.Ended.Format(time.DateTime), r.Status)
	return true, err
}
