package broker

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"

	"vyretop/megakernel/fleet"
	"vyretop/megakernel/remote"
)

// documented is the configuration of another NATS server that docs/fleet.md shows.
func documented(t *testing.T) *server.Options {
	t.Helper()
	text, err := os.ReadFile("../../../docs/fleet.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```text\njetstream")
	block, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("docs/fleet.md shows no configuration")
	}
	o := &server.Options{}
	if err := o.ProcessConfigString("jetstream" + block); err != nil {
		t.Fatal(err)
	}
	return o
}

// TestAnotherServerWithTheDocumentedPermissions has users with those of hub user.
func TestAnotherServerWithTheDocumentedPermissions(t *testing.T) {
	levels := map[string]User{"anna": {Level: "steer"}, "node": {Level: "look", Runs: true}}
	list := documented(t).Users
	if len(list) != len(levels) {
		t.Fatalf("%d users", len(list))
	}
	for _, u := range list {
		want := levels[u.Username]
		level, _ := remote.ParseRights(want.Level)
		publish, subscribe := fleet.Allowed(u.Username, level, want.Runs)
		p := u.Permissions
		if !slices.Equal(p.Publish.Allow, publish) || !slices.Equal(p.Publish.Deny, fleet.Denied()) || !slices.Equal(p.Subscribe.Allow, subscribe) {
			t.Errorf("%s may publish %q but not %q, and subscribe %q; want %q, %q, %q", u.Username, p.Publish.Allow, p.Publish.Deny, p.Subscribe.Allow, publish, fleet.Denied(), subscribe)
		}
	}
}
