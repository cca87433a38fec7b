package policy_test

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"vyretop/megakernel/policy"
)

// TestPolicyFilesThatAreNone: what is wrong is said in the words of the file, with the line where it is known.
func TestPolicyFilesThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"nothing = 1":                              `line 1: unknown name "nothing"`,
		"\nfusion_edge_threshold = \"x\"":          "line 2: fusion_edge_threshold = x does not fit",
		"fusion_edge_threshold = 99999999999":      "fusion_edge_threshold = 99999999999 does not fit",
		"fusion_edge_threshold = -1":               "fusion_edge_threshold = -1 does not fit",
		"fusion_edge_threshold = 1.5":              "fusion_edge_threshold = 1.5 does not fit",
		"memory_pressure_threshold_bps = 70000":    "memory_pressure_threshold_bps = 70000 does not fit",
		"memory_pressure_threshold_bps = 20000":    "is 20000, beyond all of it",
		"fusion_edge_threshold = ":                 "line 1: no policy: toml: ",
		"saturated_waves = 4\nsaturated_waves = 4": "no policy",
	} {
		_, err := policy.ParsePolicy([]byte(text))
		if !errors.Is(err, policy.ErrInput) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "uint") {
			t.Errorf("%q: the words of Go: %v", text, err)
		}
	}
}

// TestDocumentedNumbersAreTheStandardOnes: docs/policy.md lists every number of the policy with its standard value.
func TestDocumentedNumbersAreTheStandardOnes(t *testing.T) {
	doc, err := os.ReadFile("../../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	p := reflect.ValueOf(policy.StandardPolicy())
	for i := range p.NumField() {
		row := fmt.Sprintf("\n| `%s` | %v | ", p.Type().Field(i).Tag.Get("toml"), p.Field(i))
		if !strings.Contains(string(doc), row) {
			t.Errorf("docs/policy.md has no row %q", strings.TrimSpace(row))
		}
	}
}
