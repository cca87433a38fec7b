package kernel

import (
	"testing"

	"vyretop/engine"
)

// TestWatchedWords: the words that a buffer needs for a watched value are those up to the end of the element.
func TestWatchedWords(t *testing.T) {
	p, err := engine.CompileText("watched", `#version 450
layout(local_size_x = 1) in;
struct Node { uint id; vec3 at; float weights[4]; };
layout(std430, binding = 3) buffer Nodes { uint used; Node nodes[]; };
layout(std430, binding = 4) buffer Plain { uint plain[]; };
shared uint local[8];
void main() { plain[0] = used + nodes[0].id + local[0]; }
`)
	if err != nil {
		t.Fatal(err)
	}
	k := &Kernel{Program: p}
	for watch, want := range map[string]struct {
		binding uint32
		words   int
	}{
		"plain[0]":            {4, 1},
		"plain[159]":          {4, 160},
		"nodes[0].id":         {3, 4 + 12}, // a node is aligned to 16 bytes and takes 48
		"nodes[2].at.y":       {3, 4 + 3*12},
		"nodes[2].weights[3]": {3, 4 + 3*12},
		"nodes[plain[0]].id":  {0, 0},
		"used":                {0, 0},
		"local[7]":            {0, 0},
		"slot[3].param":       {0, 0},
		"nothing":             {0, 0},
	} {
		if binding, words := k.WatchedWords(watch); binding != want.binding || words != want.words {
			t.Errorf("%s needs %d words of binding %d, want %d of %d", watch, words, binding, want.words, want.binding)
		}
	}
}
