package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// recommendVector is a golden vector of a recommendation.
type recommendVector struct {
	Op string `json:"op"`
	In struct {
		Policy   map[string]json.Number `json:"policy"`
		Request  json.RawMessage        `json:"request"`
		Previous string                 `json:"previous_topology"`
	} `json:"in"`
	Out map[string]any `json:"out"`
	Err map[string]any `json:"err"`
}

// TestVectorsRecommendCommand asks the command line what the golden vectors ask, and compares member by
// member. Policies that the command refuses in a file, because no person means them, are left out.
func TestVectorsRecommendCommand(t *testing.T) {
	dir := cmp.Or(os.Getenv("VYRETOP_VECTORS"), filepath.Join("..", "..", "..", "shared", "vectors"))
	text, err := os.ReadFile(filepath.Join(dir, "policy.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skipf("no golden vectors in %s; set VYRETOP_VECTORS to their folder to run this test", dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var v recommendVector
		if !bytes.Contains(lines.Bytes(), []byte(`"op":"recommend`)) {
			continue
		}
		decodeNumbers(t, lines.Bytes(), &v)
		if askRecommend(t, &v) {
			asked++
		}
	}
	if err := lines.Err(); err != nil || asked < 200 {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

func decodeNumbers(t *testing.T, text []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%.200s: %v", text, err)
	}
}

func askRecommend(t *testing.T, v *recommendVector) bool {
	t.Helper()
	var policy strings.Builder
	for name, n := range v.In.Policy {
		fmt.Fprintf(&policy, "%s = %s\n", name, n)
	}
	file := filepath.Join(t.TempDir(), "policy.toml")
	if err := os.WriteFile(file, []byte(policy.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	args := []string{"recommend", "--json", "--request", "-", "--policy", file, "--previous-topology", v.In.Previous}
	status := doMain(args, bytes.NewReader(v.In.Request), &stdout, &stderr, nil)
	if stdout.Len() == 0 && strings.Contains(stderr.String(), "threshold_bps") {
		return false
	}
	var got map[string]any
	decodeNumbers(t, stdout.Bytes(), &got)
	want := v.Out
	if v.Err != nil {
		got, _ = got["error"].(map[string]any)
		want = v.Err
	}
	for name, w := range want {
		if fmt.Sprint(got[name]) != fmt.Sprint(w) {
			t.Errorf("%s of %s: %v, want %v\n%s", name, v.In.Request, got[name], w, &stderr)
		}
	}
	if (status == exitOK) != (v.Err == nil) || !slices.Contains([]int{exitOK, exitFailed, exitUsage}, status) {
		t.Errorf("status %d, error %v", status, v.Err)
	}
	return true
}
