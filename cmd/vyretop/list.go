package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"vyretop/megakernel/remote"
	"vyretop/megakernel/run"
)

// listSchema names the document of list.
const listSchema = "vyretop.list/1"

func newList(a *app, _ []string) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: "List live runs, and detached runs that have ended",
		Long: "list shows your live runs (including finished ones still open in a dashboard), runs whose kernel is compiling, and detached runs that have ended. vyretop attach NAME prints the summary of an ended run; a later detached run of the same name replaces it.",
		Args: arguments(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error {
			list, err := run.List(c.Context(), remote.Dir(a.env), run.StartingDir(a.env), run.DetachedDir(a.env))
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(a.stdout, struct {
					Schema string       `json:"schema"`
					Runs   []run.Listed `json:"runs"`
				}{listSchema, list})
			}
			return writeList(a.stdout, list)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON, with a schema member")
	return c
}

func writeList(w io.Writer, list []run.Listed) error {
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
