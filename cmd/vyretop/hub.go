package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"vyretop/engine/units"
	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
)

// hubOptions are the flags of hub.
type hubOptions struct {
	broker.Options
	users   string
	verbose bool
}

// newHub makes the command that runs a hub.
func newHub(a *app, _ []string) *cobra.Command {
	f := &hubOptions{}
	c := &cobra.Command{
		Use: "hub", Short: "Run a hub for runs on several machines",
		Long: "hub is a NATS server in this process, until Ctrl-C: runs started with --hub announce themselves there, and vyretop fleet shows them. " +
			"Without --users every client may steer every run, so the hub listens on this machine only. Any NATS server can serve as a hub. See docs/fleet.md.",
		Example: "vyretop hub\nvyretop hub user anna --level steer --users hub.toml\nvyretop hub --listen 0.0.0.0:4222 --users hub.toml --tls-cert cert.pem --tls-key key.pem",
		Args:    arguments(0, 0, ""),
		RunE:    func(c *cobra.Command, _ []string) error { return f.run(c.Context(), a) },
	}
	s := c.Flags()
	s.StringVar(&f.Listen, "listen", "127.0.0.1:"+fleet.DefaultPort, "address and port; port 0 takes a free one")
	s.StringVar(&f.users, "users", "", "file of the users to admit, written by vyretop hub user; changes take effect at once")
	s.StringVar(&f.Cert, "tls-cert", "", "file with the hub's certificate, in PEM form")
	s.StringVar(&f.Key, "tls-key", "", "file with the key of the certificate")
	s.StringVar(&f.Store, "store", "", "folder for queues, recordings and the audit log (default: none are kept)")
	s.StringVar(&f.Name, "name", "", "name of this server in a cluster")
	s.StringVar(&f.Cluster, "cluster", "", "address and port for the other servers of a cluster")
	s.StringSliceVar(&f.Peers, "peer", nil, "address of --cluster of another server (repeatable)")
	s.StringVar(&f.ClusterCA, "cluster-ca", "", "file with the CA certificates for servers of the cluster; each server identifies itself with --tls-cert")
	s.BoolVar(&f.verbose, "verbose", false, "print the server's log")
	c.AddCommand(newHubUser(a), newHubPut(a), newHubRecordings(a), newHubAudit(a))
	return c
}

// run runs the hub until the context ends.
func (f *hubOptions) run(ctx context.Context, a *app) (err error) {
	if (f.Cert == "") != (f.Key == "") {
		return usage("--tls-cert and --tls-key belong together", "give both, or none")
	}
	if f.users != "" {
		if f.Users, err = broker.ReadUsers(f.users); err != nil {
			return err
		}
	}
	if f.verbose {
		f.Log = func(text string) { a.warnText(text) }
	}
	f.Trouble = func(err error) { a.warnText(err.Error()) }
	b, err := broker.Start(f.Options)
	if err != nil {
		return err
	}
	defer b.Close()
	var group sync.WaitGroup
	defer group.Wait()
	if f.Store != "" && f.Cluster == "" {
		if err := b.KeepAudit(ctx); err != nil {
			return err
		}
	}
	if f.Store != "" && f.Cluster != "" {
		group.Go(func() { // the others may start later
			if err := b.KeepAudit(ctx); err != nil && ctx.Err() == nil {
				a.warnText(err.Error())
			}
		})
	}
	if f.users != "" {
		group.Go(func() { f.follow(ctx, a, b) })
	}
	fmt.Fprintf(a.stderr, "vyretop: hub at %s\n", b.URL())
	<-ctx.Done()
	return nil
}

// follow lets in the users of the file as it changes, and says so.
func (f *hubOptions) follow(ctx context.Context, a *app, b *broker.Broker) {
	b.FollowUsers(ctx, f.users, func(users int, err error) {
		if err != nil {
			a.warnText("the users stay as they were: " + err.Error())
			return
		}
		a.warnText(fmt.Sprintf("%s has changed: %s are let in", f.users, units.Plural(users, "user")))
	})
}
