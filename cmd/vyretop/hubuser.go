package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"vyretop/megakernel/fleet/broker"
	"vyretop/megakernel/remote"
)

// hubUserFlags are the flags of hub user.
type hubUserFlags struct {
	broker.User
	users  string
	key    string
	keep   bool
	remove bool
}

// newHubUser makes the command that adds, changes and removes users of a hub.
func newHubUser(a *app) *cobra.Command {
	f := &hubUserFlags{}
	c := &cobra.Command{
		Use: "user NAME", Short: "Add, change or remove a user of a hub",
		Long: "user adds a user to the file of --users, or replaces the user of that name, and writes the key to a file for --hub-key. " +
			"A running hub takes a changed file at once; users that are removed are disconnected. A user of level look may watch runs; steer may also change them; administer may also end, reload and record them, and take control from others.",
		Example: "vyretop hub user anna --level steer --users hub.toml\nvyretop hub user node1 --runs --users hub.toml\nvyretop hub user anna --level look --keep-key --users hub.toml\nvyretop hub user anna --remove --users hub.toml",
		Args:    arguments(1, 1, "NAME"),
	}
	s := c.Flags()
	s.StringVar(&f.users, "users", "", "file of the hub's users")
	s.StringVar(&f.Level, "level", remote.Look.String(), "what the user may do: look, steer or administer")
	s.BoolVar(&f.Runs, "runs", false, "the user may announce runs and carry out queued work")
	s.StringVar(&f.key, "key", "", "file for the user's key (default: NAME.nk)")
	s.BoolVar(&f.keep, "keep-key", false, "change what a user may do; its key stays")
	s.BoolVar(&f.remove, "remove", false, "remove the user")
	c.RunE = func(c *cobra.Command, args []string) error {
		f.Name = args[0]
		if err := f.check(c.Flags().Changed); err != nil {
			return err
		}
		return f.run(a)
	}
	return c
}

// check finds flags that do not fit together.
func (f *hubUserFlags) check(given func(flag string) bool) error {
	switch {
	case f.users == "":
		return usage("missing --users", "name the file of the hub's users, which is made where it is missing")
	case f.remove && (f.keep || given("level") || given("runs") || given("key")):
		return usage("--remove has no use for --level, --runs, --key and --keep-key", "leave them out")
	case f.keep && given("key"):
		return usage("--keep-key and --key contradict each other", "leave one out")
	}
	return nil
}

// run changes the file, and says what is in it.
func (f *hubUserFlags) run(a *app) error {
	switch {
	case f.remove:
		if err := broker.RemoveUser(f.users, f.Name); err != nil {
			return err
		}
		_, err := fmt.Fprintf(a.stdout, "%s: user %s is removed\n", f.users, f.Name)
		return err
	case f.keep:
		if err := broker.ChangeUser(f.users, f.User); err != nil {
			return err
		}
		_, err := fmt.Fprintf(a.stdout, "%s: user %s, %s\n", f.users, f.Name, f.may())
		return err
	}
	if f.key == "" {
		f.key = f.Name + ".nk"
	}
	if err := broker.AddUserWithKey(f.users, f.key, f.User); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.stdout, "%s: user %s, %s\n%s: its key; keep it secret and give it to the user only\n", f.users, f.Name, f.may(), f.key)
	return err
}

// may is what the user may do.
func (f *hubUserFlags) may() string {
	if f.Runs {
		return fmt.Sprintf("level %s, announces runs and uses queues", f.Level)
	}
	return fmt.Sprintf("level %s", f.Level)
}
