package policy_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"vyretop/megakernel/policy"
)

// TestMembersAreThoseOfTheRequest: flags and the launch view had tables of their own, in which names differed from those in JSON and
// members were missing.
func TestMembersAreThoseOfTheRequest(t *testing.T) {
	var r policy.Request
	for i := range policy.Members {
		policy.Members[i].Set(&r, uint64(i+1))
	}
	text, err := json.Marshal(&r)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]json.Number
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for i, m := range policy.Members {
		if got[m.Name] != json.Number(fmt.Sprint(i+1)) || m.Get(&r) != uint64(i+1) {
			t.Errorf("%s is %s in JSON and %d, want %d", m.Name, got[m.Name], m.Get(&r), i+1)
		}
		delete(got, m.Name)
	}
	if len(got) != 0 {
		t.Errorf("not in the table: %v", got)
	}
}

// TestMembersAreDocumented: docs/policy.md has a row for each.
func TestMembersAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range policy.Members {
		if row := fmt.Sprintf("\n| `%s` | %s |\n", m.Name, m.Usage); !strings.Contains(string(page), row) {
			t.Errorf("docs/policy.md lacks%s", row)
		}
	}
}

func TestParseChange(t *testing.T) {
	for text, want := range map[string]struct {
		name  string
		value uint64
		fix   string
	}{
		"queue_len=4096":                     {name: "queue_len", value: 4096},
		"queue-len=0x10":                     {name: "queue_len", value: 16},
		"frontier_density_bps=65535":         {name: "frontier_density_bps", value: 65535},
		"requeue_count=18446744073709551615": {name: "requeue_count", value: 1<<64 - 1},
		"frontier_density_bps=65536":         {fix: "use a whole number from 0 to 65535"},
		"queue_len":                          {fix: "use a whole number from 0 to 4294967295"},
		"queue_len=":                         {fix: "use a whole number from 0 to 4294967295"},
		"queue_len=-1":                       {fix: "use a whole number from 0 to 4294967295"},
		"queue_len=many":                     {fix: "use a whole number from 0 to 4294967295"},
		"queue=4":                            {fix: "use one of queue_len, "},
		"":                                   {fix: "use one of queue_len, "},
	} {
		i, value, err := policy.ParseChange(text)
		if want.fix != "" {
			if !errors.Is(err, policy.ErrInput) || !strings.Contains(err.Error(), "Fix: "+want.fix) {
				t.Errorf("%q: %v", text, err)
			}
		} else if err != nil || policy.Members[i].Name != want.name || value != want.value {
			t.Errorf("%q: %s = %d, %v", text, policy.Members[i].Name, value, err)
		}
	}
}
