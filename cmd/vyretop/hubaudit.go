package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"vyretop/megakernel/fleet"
)

// newHubAudit makes the command that prints who did what.
func newHubAudit(a *app) *cobra.Command {
	f, follow, asJSON := &hubFlags{}, false, false
	c := &cobra.Command{
		Use: "audit", Short: "Print who changed which run, with the result", Args: arguments(0, 0, ""),
		Long: "audit prints every request to change a run at a hub, refused ones included: time, run, user and request. A hub started with --store keeps them for 90 days, " +
			"at most 64 MiB; --follow prints what comes.",
		RunE: func(c *cobra.Command, _ []string) error {
			h, err := f.connect("vyretop hub audit")
			if err != nil {
				return err
			}
			defer h.Close()
			out := bufio.NewWriter(a.stdout)
			err = h.Audited(c.Context(), follow, func(e fleet.Entry) error {
				if asJSON {
					err := json.NewEncoder(out).Encode(e)
					if err != nil {
						return err
					}
					return out.Flush()
				}
				became := "done"
				if e.Error != "" {
					became = e.Error
				}
				fmt.Fprintf(out, "%s  %s@%s  %s (%s)  %s: %s\n", auditTime(&e), e.Name, e.Host, e.Who, e.Level, e.What, became)
				return out.Flush()
			})
			return err
		},
	}
	f.register(c.Flags(), "hub that keeps the audit")
	c.Flags().BoolVarP(&follow, "follow", "f", false, "print new requests until Ctrl-C")
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each request")
	return c
}

// auditSkew is how much later or earlier than it was made a request may get to the hub without a word about it.
const auditSkew = 5 * time.Second

// auditTime is when a request was made, and when it got to the hub where that is another time: the clocks differ, or the run had no connection.
func auditTime(e *fleet.Entry) string {
	text := e.At.Local().Format(time.DateTime)
	if !e.Kept.IsZero() && e.Kept.Sub(e.At).Abs() > auditSkew {
		text += " (at the hub " + e.Kept.Local().Format(time.DateTime) + ")"
	}
	return text
}
