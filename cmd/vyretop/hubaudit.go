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
		Use: "audit", Short: "Print who changed which run, and what became of it", Args: arguments(0, 0, ""),
		Long: "audit prints the requests that could change runs at a hub, also refused ones: when, which run, the user, and the request. A hub started with --store keeps them for 90 days, " +
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
				fmt.Fprintf(out, "%s  %s@%s  %s (%s)  %s: %s\n", e.At.Local().Format(time.DateTime), e.Name, e.Host, e.Who, e.Level, e.What, became)
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
