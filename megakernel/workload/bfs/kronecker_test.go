package bfs

import (
	"errors"
	"testing"

	"vyretop/megakernel/workload"
)

// TestGeneratedGraphsStayTheSame: a digest that somebody has noted must be that of the same graph in the
// next version.
func TestGeneratedGraphsStayTheSame(t *testing.T) {
	for spec, want := range map[string]string{
		"kronecker:3:2":       "cf10bea33400f3acfc0e588fb3f6af77abc602e352139f868c78b5c5bd1fa9aa",
		"kronecker:10":        "22e22f8b049f109fc77cc88259cfed32b19450a68d85c570dcea4abab7abac3f",
		"kronecker:10:16:1":   "22e22f8b049f109fc77cc88259cfed32b19450a68d85c570dcea4abab7abac3f",
		"kronecker:10:16:123": "b347062748f7545e55538f549f9c967a067a1c2a7baba8a32ee5a1c4a7c11e26",
	} {
		k, err := ParseKronecker(spec)
		if err != nil {
			t.Fatal(err)
		}
		g := k.Generate()
		if got := workload.Digest(g.Pairs); got != want || g.Vertices != 1<<k.Scale || g.Edges() != k.EdgeFactor<<k.Scale {
			t.Errorf("%s: %d vertices, %d edges, %s, want %s", spec, g.Vertices, g.Edges(), got, want)
		}
	}
}

// TestSplitmix64 compares with the numbers of splitmix64.c for the seed 1234567.
func TestSplitmix64(t *testing.T) {
	s := splitmix64(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if got := s.next(); got != want {
			t.Errorf("number %d is %d, want %d", i, got, want)
		}
	}
}

// TestInitiator: with no renumbering to hide it, the quadrants have Graph500's shares.
func TestInitiator(t *testing.T) {
	random := splitmix64(7)
	var n [4]int
	const edges = 200000
	for range edges {
		from, to := Kronecker{Scale: 1}.edge(&random)
		n[2*from+to]++
	}
	for i, share := range []float64{0.57, 0.19, 0.19, 0.05} {
		if got := float64(n[i]) / edges; got < share-0.005 || got > share+0.005 {
			t.Errorf("quadrant %d has a share of %.4f, want %.2f", i, got, share)
		}
	}
}

func TestSpecsThatAreNone(t *testing.T) {
	for _, spec := range []string{"", "kronecker", "kronecker:", "kronecker:x", "kronecker:0", "kronecker:26", "kronecker:5:0", "kronecker:21:17", "kronecker:5:4:3:2", "kronecker:5:1:-1", "random:5", "kronecker:5:18446744073709551615", "kronecker:64"} {
		if _, err := ParseKronecker(spec); !errors.Is(err, workload.ErrFlag) {
			t.Errorf("%q: %v", spec, err)
		}
	}
}

// TestAGraphIsGeneratedOnceForManyRuns: with its direction of one search not left to the next.
func TestAGraphIsGeneratedOnceForManyRuns(t *testing.T) {
	k := Kronecker{Scale: 8, EdgeFactor: 16, Seed: 1}
	first := k.Graph()
	first.OneWay = false
	if again := k.Graph(); &again.Pairs[0] != &first.Pairs[0] || !again.OneWay {
		t.Errorf("generated again: %v, one-way: %v", &again.Pairs[0] != &first.Pairs[0], again.OneWay)
	}
	k.Seed = 2
	if other := k.Graph(); workload.Digest(other.Pairs) != workload.Digest(k.Generate().Pairs) {
		t.Error("the graph of another seed is not what its parameters say")
	}
}
