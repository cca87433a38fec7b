package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"vyretop/megakernel/fleet"
	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/remote"
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
		Use: "hub", Short: "Run a hub, at which runs of several machines meet",
		Long: "hub is a NATS server in this process, until Ctrl-C: runs started with --hub announce themselves there, and vyretop fleet shows them. " +
			"Without --users every client may steer every run, so it listens on this machine only. Any other NATS server serves as a hub as well. See docs/fleet.md.",
		Example: "vyretop hub\nvyretop hub user anna --level steer --users hub.toml\nvyretop hub --listen 0.0.0.0:4222 --users hub.toml --tls-cert cert.pem --tls-key key.pem",
		Args:    arguments(0, 0, ""),
		RunE:    func(c *cobra.Command, _ []string) error { return f.run(c.Context(), a) },
	}
	s := c.Flags()
	s.StringVar(&f.Listen, "listen", "127.0.0.1:"+fleet.DefaultPort, "address and port; port 0 takes a free one")
	s.StringVar(&f.users, "users", "", "file of the users that are let in, written by vyretop hub user")
	s.StringVar(&f.Cert, "tls-cert", "", "file with the hub's certificate, in PEM form")
	s.StringVar(&f.Key, "tls-key", "", "file with the key of the certificate")
	s.StringVar(&f.Store, "store", "", "folder for queues, recordings and the audit log (default: none are kept)")
	s.StringVar(&f.Name, "name", "", "name of this server in a cluster")
	s.StringVar(&f.Cluster, "cluster", "", "address and port for the other servers of a cluster")
	s.StringSliceVar(&f.Peers, "peer", nil, "address of --cluster of another server (repeatable)")
	s.StringVar(&f.ClusterCA, "cluster-ca", "", "file with the certificates that sign those of the servers of the cluster, which prove themselves by --tls-cert")
	s.BoolVar(&f.verbose, "verbose", false, "print what the server logs")
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
	fmt.Fprintf(a.stderr, "vyretop: hub at %s\n", b.URL())
	<-ctx.Done()
	return nil
}

// newHubUser makes the command that adds a user to a hub.
func newHubUser(a *app) *cobra.Command {
	u, users, key := broker.User{}, "", ""
	c := &cobra.Command{
		Use: "user NAME", Short: "Add a user to a hub",
		Long: "user writes a user into the file of --users, in place of one of its name, and its key into a file of its own, which the user gives to --hub-key. " +
			"A hub reads its users when it starts. Level look lets the user watch, steer change runs, administer end, reload and record them and take control from others.",
		Example: "vyretop hub user anna --level steer --users hub.toml\nvyretop hub user node1 --runs --users hub.toml",
		Args:    arguments(1, 1, "NAME"),
	}
	s := c.Flags()
	s.StringVar(&users, "users", "", "file of the hub's users")
	s.StringVar(&u.Level, "level", remote.Look.String(), "what the user may do: look, steer or administer")
	s.BoolVar(&u.Runs, "runs", false, "the user may announce runs and carry out queued work")
	s.StringVar(&key, "key", "", "file for the user's key (default: NAME.nk)")
	c.RunE = func(_ *cobra.Command, args []string) error {
		u.Name = args[0]
		if users == "" {
			return usage("missing --users", "name the file of the hub's users, which is made where it is missing")
		}
		if key == "" {
			key = u.Name + ".nk"
		}
		if err := broker.AddUserWithKey(users, key, u); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%s: user %s, level %s\n%s: its key; keep it secret and give it to the user only\n", users, u.Name, u.Level, key)
		return nil
	}
	return c
}
