package main

import (
	"bytes"
	"io/fs"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"vyretop/megakernel/workload"
	"vyretop/megakernel/workload/infer/gguf"
)

// TestTheShippedModelIsOfThisText: metadata, tokenizer and tensors of the shipped file are those that this program writes.
func TestTheShippedModelIsOfThisText(t *testing.T) {
	data, err := fs.ReadFile(workload.Shipped, "infer/model.gguf")
	if err != nil {
		t.Fatal(err)
	}
	got, err := gguf.Read("model.gguf", data)
	if err != nil {
		t.Fatal(err)
	}
	want := metadata(vocabulary(text, vocabularySize))
	newModel(vocabularySize).store(want)
	if d := cmp.Diff(want.Meta, got.Meta); d != "" {
		t.Error(d)
	}
	for i, w := range want.Tensors {
		if g := got.Tensors[i]; g.Name != w.Name || g.Type != w.Type || !cmp.Equal(g.Dims, w.Dims) {
			t.Errorf("tensor %d is %s %s %v, want %s %s %v", i, g.Name, g.Type, g.Dims, w.Name, w.Type, w.Dims)
		}
	}
}

// TestTrainingIsTheSameEachTime, and learns.
func TestTrainingIsTheSameEachTime(t *testing.T) {
	var files [2]bytes.Buffer
	for i := range files {
		if err := train(2, t.Logf).Write(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("two trainings differ")
	}
}

// TestGradientsAreSlopes compares some of each matrix' gradient with differences of the loss.
func TestGradientsAreSlopes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	m := newModel(20)
	m.initialize(rng)
	tokens, next := make([]int, 12), make([]int, 12)
	for i := range tokens {
		tokens[i], next[i] = rng.IntN(20), rng.IntN(20)
	}
	loss := func() float64 { return (&pass{m: m}).forward(tokens, next) }
	p := &pass{m: m}
	p.forward(tokens, next)
	p.backward(tokens, next)
	for n, x := range m.matrices() {
		largest := 0
		for i, g := range x.g {
			if math.Abs(float64(g)) > math.Abs(float64(x.g[largest])) {
				largest = i
			}
		}
		const h = 1e-2
		w := x.w[largest]
		x.w[largest] = w + h
		above := loss()
		x.w[largest] = w - h
		below := loss()
		x.w[largest] = w
		slope := (above - below) / (2 * h)
		if got := float64(x.g[largest]); math.Abs(got-slope) > 0.02*math.Abs(slope)+1e-3 {
			t.Errorf("matrix %d, weight %d: gradient %g, slope %g", n, largest, got, slope)
		}
	}
}
