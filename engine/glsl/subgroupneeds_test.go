package glsl

import (
	"strings"
	"testing"

	"vyretop/engine/glsl/source"
)

// TestNamesOfSubgroupsSayWhatEnablesThem: a function without its extension was said to be misspelled, and its inputs to be outside of
// the language. What the error says to write makes the name known.
func TestNamesOfSubgroupsSayWhatEnablesThem(t *testing.T) {
	names := []string{"subgroupInverseBallot", "subgroupBallotFindMSB", "subgroupShuffleUp", "subgroupShuffle", "subgroupRotate", "subgroupClusteredAdd", "subgroupQuadBroadcast", "subgroupElect", "subgroupBroadcastFirst", "readFirstInvocationARB"}
	for _, o := range subgroupOperations {
		names = append(names, "subgroup"+o.name, "subgroupInclusive"+o.name, "subgroupExclusive"+o.name)
	}
	for name := range subgroupInputs {
		names = append(names, name)
	}
	for name := range subgroupAliases {
		names = append(names, name)
	}
	const version = "#version 450\n"
	for _, name := range names {
		body := "layout(local_size_x = 8) in;\nvoid main() { " + name + "(); }\n"
		if strings.HasPrefix(name, "gl_") {
			body = "layout(local_size_x = 8) in;\nvoid main() { " + name + "; }\n"
		}
		err := checked(version + body)
		line := subgroupNeeds(name)
		if line == "" || err == nil || !strings.Contains(err.Error(), "is known only with "+line+". Fix: write "+line) {
			t.Errorf("%s: %v, want a fix with %q", name, err, line)
			continue
		}
		text := version + line + "\n" + body
		if strings.HasPrefix(line, "#version") {
			text = line + "\n" + body
		}
		if err := checked(text); err != nil && (strings.Contains(err.Error(), "known only") || strings.Contains(err.Error(), "declared")) {
			t.Errorf("%s with %q: %v", name, line, err)
		}
	}
	if err := checked(version + "layout(local_size_x = 8) in;\nvoid main() { subgroupFoo(); }\n"); err == nil || !strings.Contains(err.Error(), source.DeclareFix) {
		t.Errorf("a name of nothing: %v", err)
	}
}

// checked is what is wrong with a text.
func checked(text string) error {
	_, err := Compile(&source.File{Name: "k.comp", Text: text}, Options{})
	return err
}
