package main

import (
	"github.com/spf13/cobra"

	"vyretop/megakernel/bisect"
)

const bisectLong = `bisect executes the same inputs twice and finds where the results begin to differ: the task, its activation and epoch, the word, both
values, and the lines that wrote them. A and B are each

    a recording        the handlers that it was recorded with
    a workload, DIR    a shipped workload or a folder with a workload.toml
    FILE.glsl          the recorded handlers, with the file of that name replaced by this one
    a program          another version of vyretop; both sides must be programs. Each executes the first tasks of the
                       recording, and halving finds the smallest number that ends differently

The inputs are those of --recording, or of A or B if one is a recording. Without a recording, A must be a workload, which is run on the
reference interpreter to get inputs. Both sides run there, one activation at a time. The exit status is 1 if the runs end differently.`

// newBisect makes the command that finds where two versions come to different results.
func newBisect(a *app, _ []string) *cobra.Command {
	r, asJSON := bisect.Request{Note: a.note}, false
	c := &cobra.Command{
		Use: "bisect A B", Short: "Find the first input after which two versions of handlers, or of vyretop, differ",
		Long:    bisectLong,
		Example: "vyretop bisect run.mcap ./my-workload\nvyretop bisect ./before ./after\nvyretop bisect run.mcap fixed/add.glsl\nvyretop bisect ./vyretop-1 ./vyretop-2 --recording run.mcap",
		Args:    arguments(2, 2, "A B"),
	}
	c.Flags().StringVar(&r.Recording, "recording", "", "recording whose inputs are executed (default: A or B)")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.RunE = func(c *cobra.Command, args []string) error {
		r.A, r.B = args[0], args[1]
		out, err := r.Run(c.Context())
		if err != nil {
			return err
		}
		return a.printFinding(out, out.Equal, asJSON)
	}
	return c
}
