package glsl

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine/glsl/source"
)

// oracle runs glslangValidator over many kernels at once and returns the errors it gives for each;
// "" means that it accepts the kernel. The test is skipped where the tool is not installed.
func oracle(t *testing.T, texts []string) []string {
	t.Helper()
	tool, err := exec.LookPath("glslangValidator")
	if err != nil {
		t.Skip("glslangValidator is not installed (Debian package glslang-tools)")
	}
	const batch = 2000
	var verdicts []string
	for len(texts) > 0 {
		n := min(batch, len(texts))
		verdicts = append(verdicts, oracleBatch(t, tool, texts[:n])...)
		texts = texts[n:]
	}
	return verdicts
}

func oracleBatch(t *testing.T, tool string, texts []string) []string {
	t.Helper()
	dir := t.TempDir()
	args := []string{"-S", "comp"}
	index := map[string]int{}
	// With one good file the tool prints nothing at all, so there is always one more.
	for i, text := range append(texts[:len(texts):len(texts)], "#version 450\nvoid main() {}\n") {
		name := filepath.Join(dir, fmt.Sprintf("%d.comp", i))
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
		index[name] = i
	}
	out, err := exec.Command(tool, args...).Output()
	if err != nil && len(out) == 0 {
		t.Fatalf("glslangValidator: %v", err)
	}
	verdicts := make([]string, len(texts)+1)
	current, seen := -1, 0
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		line := lines.Text()
		if i, ok := index[line]; ok {
			current = i
			seen++
		} else if strings.HasPrefix(line, "ERROR:") && verdicts[current] == "" {
			verdicts[current] = line
		}
	}
	if seen != len(verdicts) {
		t.Fatalf("glslangValidator reported on %d of %d files", seen, len(verdicts))
	}
	return verdicts[:len(texts)]
}

// A probe is one generated kernel whose acceptance is compared with the oracle's.
type probe struct {
	name, text string
}

// comparison tells what the two front ends said about a probe.
type comparison struct {
	probe
	ours   error  // nil when we accept
	theirs string // "" when the oracle accepts
	subset bool   // we reject, and only as OutsideSubset
}

func compareWithOracle(t *testing.T, probes []probe) []comparison {
	t.Helper()
	texts := make([]string, len(probes))
	list := make([]comparison, len(probes))
	for i, pr := range probes {
		u, err := Compile(&source.File{Name: "probe.comp", Text: pr.text}, Options{})
		list[i] = comparison{probe: pr, ours: err, subset: err != nil && u != nil}
		texts[i] = pr.text
		if u != nil {
			texts[i] = u.Text
		}
	}
	for i, v := range oracle(t, texts) {
		list[i].theirs = v
	}
	return list
}

// thin keeps every seventh probe, so that the generated tables stay cheap; with the environment
// variable VYRETOP_EXHAUSTIVE=1 all of them run (about a minute).
func thin(probes []probe) []probe {
	if os.Getenv("VYRETOP_EXHAUSTIVE") != "" {
		return probes
	}
	const step = 7
	var kept []probe
	for i := 0; i < len(probes); i += step {
		kept = append(kept, probes[i])
	}
	return kept
}

// agree fails the test for probes that one side accepts and the other rejects, except where known
// says why they may differ.
func agree(t *testing.T, probes []probe, known func(comparison) bool) {
	t.Helper()
	accepted := 0
	for _, c := range compareWithOracle(t, probes) {
		if c.ours == nil {
			accepted++
		}
		if (c.ours == nil) == (c.theirs == "") || known != nil && known(c) {
			continue
		}
		t.Errorf("%s\n  ours:   %v\n  oracle: %s", c.name, c.ours, c.theirs)
	}
	if accepted == 0 || accepted == len(probes) {
		t.Errorf("%d of %d probes accepted: the comparison shows nothing", accepted, len(probes))
	}
	t.Logf("%d probes, %d accepted", len(probes), accepted)
}
