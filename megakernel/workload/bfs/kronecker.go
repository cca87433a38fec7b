package bfs

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"vyretop/megakernel/workload"
)

// Kronecker says which graph of the Graph500 benchmark to generate.
type Kronecker struct {
	Scale      int // 2^Scale vertices
	EdgeFactor int // edges for each vertex
	Seed       uint64
}

// Graph500's initiator, A = 0.57, B = C = 0.19, D = 0.05, as cumulated shares of 2^32, rounded.
const (
	shareA   = 2448131359
	shareAB  = 3264175145
	shareABC = 4080218931
)

// ParseKronecker reads kronecker:SCALE[:EDGEFACTOR[:SEED]]; 16 edges a vertex and seed 1 unless given. Its
// error is an ErrFlag.
func ParseKronecker(spec string) (Kronecker, error) {
	k := Kronecker{EdgeFactor: 16, Seed: 1}
	parts := strings.Split(spec, ":")
	bad := func(detail string) (Kronecker, error) {
		return k, workload.Failure(workload.ErrFlag, "--generate "+spec, detail, nil, "write kronecker:SCALE[:EDGEFACTOR[:SEED]], for example kronecker:16")
	}
	if parts[0] != "kronecker" || len(parts) < 2 || len(parts) > 4 {
		return bad("it names no generated graph")
	}
	numbers := []uint64{0, uint64(k.EdgeFactor), k.Seed}
	for i, part := range parts[1:] {
		v, err := strconv.ParseUint(part, 10, 64)
		if err != nil {
			return bad(fmt.Sprintf("%q is not a number", part))
		}
		numbers[i] = v
	}
	scale, factor := numbers[0], numbers[1]
	if scale < 1 || scale > 25 || factor < 1 || factor > maxEdges || factor<<scale > maxEdges {
		return bad(fmt.Sprintf("2^%d vertices with %d edges each are not possible: there may be up to %d vertices and as many edges", scale, factor, maxVertices))
	}
	return Kronecker{Scale: int(scale), EdgeFactor: int(factor), Seed: numbers[2]}, nil
}

// newest is the graph that was generated last.
var newest struct {
	sync.Mutex
	of    Kronecker
	graph Graph // without edges: none
}

// Graph is the graph of Generate, or a copy of the last one if that has the same parameters: what runs a search over and over, as
// vyretop tune does, would otherwise mostly generate. The copies share Pairs, which no caller changes.
func (k Kronecker) Graph() *Graph {
	newest.Lock()
	defer newest.Unlock()
	if newest.graph.Pairs == nil || newest.of != k {
		newest.of, newest.graph = k, *k.Generate()
	}
	g := newest.graph
	return &g
}

// Generate makes the graph. Equal parameters give an equal graph, everywhere and in every version: for
// each edge one number of the sequence splitmix64 for each bit of the vertex numbers, from the highest
// on; its upper 32 bits choose the quadrant, A (bits 0 and 0), B (0, 1), C (1, 0) or D (1, 1). Then the
// vertices are renumbered: for i from the last one down to 1, number i changes places with number
// floor(next * (i+1) / 2^64).
func (k Kronecker) Generate() *Graph {
	random := splitmix64(k.Seed)
	g := &Graph{Vertices: 1 << k.Scale, OneWay: true}
	g.Pairs = make([]uint32, 2*k.EdgeFactor<<k.Scale)
	for i := 0; i < len(g.Pairs); i += 2 {
		g.Pairs[i], g.Pairs[i+1] = k.edge(&random)
	}
	number := identity(g.Vertices)
	for i := len(number) - 1; i > 0; i-- {
		j, _ := bits.Mul64(random.next(), uint64(i+1))
		number[i], number[j] = number[j], number[i]
	}
	for i, v := range g.Pairs {
		g.Pairs[i] = number[v]
	}
	return g
}

func (k Kronecker) edge(random *splitmix64) (from, to uint32) {
	for range k.Scale {
		from, to = from<<1, to<<1
		switch r := random.next() >> 32; {
		case r < shareA:
		case r < shareAB:
			to |= 1
		case r < shareABC:
			from |= 1
		default:
			from, to = from|1, to|1
		}
	}
	return from, to
}

// splitmix64 is the generator of Steele, Lea and Flood, "Fast splittable pseudorandom number
// generators", 2014, in the form of Vigna's splitmix64.c.
type splitmix64 uint64

func (s *splitmix64) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
