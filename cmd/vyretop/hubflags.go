package main

import (
	"cmp"
	"context"
	"os"
	"time"

	"github.com/spf13/pflag"

	"vyretop/megakernel/fleet"
	"vyretop/megakernel/remote"
	"vyretop/megakernel/targets"
	"vyretop/tui/config"
)

// hubFlags say which hub, and as which user.
type hubFlags struct{ url, key, ca string }

func (f *hubFlags) register(s *pflag.FlagSet, what string) {
	s.StringVar(&f.url, "hub", "", what+": nats://HOST:PORT, with NAME:PASSWORD@ in front of the host if the hub has passwords")
	f.registerKey(s)
}

func (f *hubFlags) registerKey(s *pflag.FlagSet) {
	s.StringVar(&f.key, "hub-key", "", "file with the key of the user at the hub")
	s.StringVar(&f.ca, "hub-ca", "", "file with the certificates that sign the hub's (default: those of the system)")
}

// check finds what no hub can be reached by.
func (f *hubFlags) check() error {
	if f.url == "" {
		return nil
	}
	_, err := fleet.Check(f.url)
	return err
}

// address is the hub, for a command.
func (f *hubFlags) address(command string) fleet.Address {
	return fleet.Address{URL: f.url, Key: f.key, CA: f.ca, Name: command}
}

// shown is the address of the hub for people, without passwords.
func (f *hubFlags) shown() string {
	url, err := fleet.Check(f.url)
	if err != nil {
		url = f.url
	}
	return fleet.Redact(url)
}

// configuredHub is the user's configuration of hubs, for commands without flags for it.
func configuredHub(a *app) (f hubFlags, err error) {
	c, err := config.Load(config.Path(a.env))
	if err != nil {
		return f, err
	}
	s := pflag.NewFlagSet("hub", pflag.ContinueOnError)
	f.register(s, "hub")
	return f, c.Apply(s, a.env)
}

// atHub finds the target of a hub that a name such as nats://HOST/NAME means; nil for a name that is none of a hub.
func atHub(ctx context.Context, a *app, command, name string, wait time.Duration) (*targets.Target, fleet.Address, error) {
	url, target, ok := fleet.SplitTarget(name)
	if !ok {
		return nil, fleet.Address{}, nil
	}
	f, err := configuredHub(a)
	if err != nil {
		return nil, fleet.Address{}, err
	}
	f.url = url
	address := f.address(command)
	t, err := fleet.Find(ctx, address, target, wait)
	return t, address, err
}

// reach finds a live target by its name, here or at a hub, and says how to connect to it. rights is what is wanted of it at most.
func reach(ctx context.Context, a *app, o *remote.DialOptions, name string, wait time.Duration, rights remote.Rights) (string, error) {
	if wait > 0 {
		defer a.noteSince("waiting for "+cmp.Or(name, "a run"), time.Now(), 0)()
	}
	t, address, err := atHub(ctx, a, o.Client, name, wait)
	if err != nil {
		return "", err
	}
	if t == nil {
		o.Dir = remote.Dir(a.env)
		return remote.Resolve(ctx, o.Dir, name, wait)
	}
	o.Connect = fleet.Connector(address, t, rights)
	return t.Title(), nil
}

// hostName is the name of this machine in fleets.
func hostName() string {
	if name, err := os.Hostname(); err == nil {
		return name
	}
	return "localhost"
}
