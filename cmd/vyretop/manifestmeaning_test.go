package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// folderCommands read the folder of a workload, FILE.
var folderCommands = []string{
	"check FILE", "check FILE --json", "check --run FILE --for 200ms", "profile FILE --for 200ms", "profile FILE --for 200ms --json", "run FILE --backend reference --headless --for 200ms",
	"run FILE --backend reference --json --for 200ms", "run FILE --help", "warm FILE --backend reference", "tune FILE --backend reference --budget 100ms --dry-run",
	"replay FILE", "debug FILE --backend reference", "snapshot FILE",
}

// wrongTOML are what stands in the place of a value of a manifest.
var wrongTOML = []string{
	"-1", "0", "1", "4294967295", "9223372036854775807", "99999999999999999999999", "nan", "inf", "1e308", `""`, `"` + strings.Repeat("n", 70_000) + `"`, `"../../../../../etc/passwd"`,
	`"\u001b]0;owned\u0007\u001b[2J\r\n\u202e"`, "[]", "{}", "true", `"index / 0"`, `"$count * 4294967295"`, `"$count % 0"`, "1979-05-27T07:32:00Z", "[-1, 4294967296]", "[" + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "]",
}

// writeFolder writes a workload's folder.
func writeFolder(t *testing.T, dir, manifest, handler string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"workload.toml": manifest, "collatz.glsl": handler} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// shippedCollatz are the manifest and the handlers of collatz.
func shippedCollatz(t *testing.T) (manifest, handler string) {
	t.Helper()
	var texts []string
	for _, name := range []string{"workload.toml", "collatz.glsl"} {
		text, err := os.ReadFile("../../megakernel/workload/shipped/collatz/" + name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return strings.Replace(texts[0], "default = 4096", "default = 64", 1), texts[1]
}

// wrongManifests are manifests with a wrong value, a line too few or one twice.
func wrongManifests(manifest string) (list []string) {
	lines := strings.SplitAfter(manifest, "\n")
	for i, line := range lines {
		before, after := strings.Join(lines[:i], ""), strings.Join(lines[i+1:], "")
		if strings.TrimSpace(line) == "" {
			continue
		}
		list = append(list, before+after, before+line+line+after)
		if name, _, ok := strings.Cut(line, "="); ok {
			for _, value := range wrongTOML {
				list = append(list, before+name+"= "+value+"\n"+after)
			}
		}
	}
	return list
}

// TestDamagedManifestsAreTold: a workload's folder whose manifest has a value that it cannot have is run, or refused with an
// error that says what to do.
func TestDamagedManifestsAreTold(t *testing.T) {
	r := newMeaningReader(t)
	manifest, handler := shippedCollatz(t)
	random := rand.New(rand.NewPCG(uint64(*meanings), 4))
	list := wrongManifests(manifest)
	random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	for i, text := range list[:min(len(list), *meanings)] {
		dir := filepath.Join(r.dir, fmt.Sprint("folder", i))
		writeFolder(t, dir, text, handler)
		r.read(firstDifference(manifest, text), dir, folderCommands...)
	}
}

// firstDifference is the line in which a text first differs from another.
func firstDifference(whole, text string) string {
	a, b := strings.Split(whole, "\n"), strings.Split(text, "\n")
	for i := range b {
		if i >= len(a) || a[i] != b[i] {
			return fmt.Sprintf("line %d: %.100q", i+1, b[i])
		}
	}
	return fmt.Sprintf("%d lines", len(b))
}

// TestHostileHandlersAreTold: folders of workloads whose handlers cannot be compiled, do not end, or ask for much.
func TestHostileHandlersAreTold(t *testing.T) {
	r := newMeaningReader(t)
	manifest, _ := shippedCollatz(t)
	handlers := wrongHandlers()
	for name, text := range handlers {
		t.Run(name, func(t *testing.T) {
			r := *r
			r.t = t
			dir := filepath.Join(t.TempDir(), "folder")
			writeFolder(t, dir, manifest, text)
			r.read(name, dir, slices.DeleteFunc(slices.Clone(folderCommands), func(c string) bool { return strings.HasPrefix(c, "tune") })...)
		})
	}
}
