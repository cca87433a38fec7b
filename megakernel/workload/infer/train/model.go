package main

import (
	"math"
	"math/rand/v2"
)

// Sizes of the model.
const (
	width   = 64
	layers  = 2
	heads   = 4
	headDim = width / heads
	hidden  = 128
	context = 256

	ropeBase = 10000
	epsilon  = 1e-5
)

// matrix has weights, and their gradient.
type matrix struct {
	rows, cols int
	w, g       []float32
}

func newMatrix(rows, cols int) matrix {
	return matrix{rows: rows, cols: cols, w: make([]float32, rows*cols), g: make([]float32, rows*cols)}
}

func (m *matrix) row(r int) []float32      { return m.w[r*m.cols:][:m.cols] }
func (m *matrix) gradient(r int) []float32 { return m.g[r*m.cols:][:m.cols] }

// forward is the product with each row of x, which has m.cols numbers for each position.
func (m *matrix) forward(out, x []float32) {
	for t := range len(x) / m.cols {
		in := x[t*m.cols:][:m.cols]
		for r := range m.rows {
			out[t*m.rows+r] = dot(m.row(r), in)
		}
	}
}

// backward adds to the gradient of the weights, and to that of x.
func (m *matrix) backward(dx, dout, x []float32) {
	for t := range len(x) / m.cols {
		in, din := x[t*m.cols:][:m.cols], dx[t*m.cols:][:m.cols]
		for r := range m.rows {
			if d := dout[t*m.rows+r]; d != 0 {
				addScaled(din, d, m.row(r))
				addScaled(m.gradient(r), d, in)
			}
		}
	}
}

type layer struct {
	norm, query, key, value, output matrix
	feedNorm, gate, up, down        matrix
}

// model is a decoder-only transformer as Llama has it; the embedding is also the last matrix.
type model struct {
	embedding matrix
	layers    [layers]layer
	norm      matrix
}

func newModel(vocabulary int) *model {
	m := &model{embedding: newMatrix(vocabulary, width), norm: newMatrix(1, width)}
	for i := range m.layers {
		m.layers[i] = layer{
			norm: newMatrix(1, width), query: newMatrix(width, width), key: newMatrix(width, width), value: newMatrix(width, width), output: newMatrix(width, width),
			feedNorm: newMatrix(1, width), gate: newMatrix(hidden, width), up: newMatrix(hidden, width), down: newMatrix(width, hidden),
		}
	}
	return m
}

func (m *model) matrices() []*matrix {
	list := []*matrix{&m.embedding, &m.norm}
	for i := range m.layers {
		l := &m.layers[i]
		list = append(list, &l.norm, &l.query, &l.key, &l.value, &l.output, &l.feedNorm, &l.gate, &l.up, &l.down)
	}
	return list
}

// initialize draws the weights; norms begin with 1.
func (m *model) initialize(rng *rand.Rand) {
	for _, x := range m.matrices() {
		deviation := 0.6 / math.Sqrt(float64(x.cols))
		for i := range x.w {
			x.w[i] = 1
			if x.rows > 1 {
				x.w[i] = float32(rng.NormFloat64() * deviation)
			}
		}
	}
}

// shadow shares the weights of m and has gradients of its own.
func (m *model) shadow() *model {
	s := newModel(m.embedding.rows)
	own := s.matrices()
	for i, x := range m.matrices() {
		own[i].w = x.w
	}
	return s
}

// turns are the cosines and sines by which position t turns each pair of a head.
var turns = func() (out [context][headDim / 2][2]float32) {
	for t := range out {
		for i := range out[t] {
			sin, cos := math.Sincos(float64(t) * math.Pow(ropeBase, -2*float64(i)/headDim))
			out[t][i] = [2]float32{float32(cos), float32(sin)}
		}
	}
	return out
}()

// turn rotates the pairs of each head by the angle of its position; direction -1 turns back.
func turn(x []float32, direction float32) {
	for t := range len(x) / width {
		for h := range heads {
			for i, cs := range turns[t] {
				p := x[t*width+h*headDim+2*i:][:2]
				a, b, s := p[0], p[1], direction*cs[1]
				p[0] = float32(a*cs[0]) - float32(b*s)
				p[1] = float32(a*s) + float32(b*cs[0])
			}
		}
	}
}
