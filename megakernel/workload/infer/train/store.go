package main

import (
	"encoding/binary"
	"fmt"
	"math"

	"vyretop/megakernel/workload/infer/gguf"
)

// optimizer is Adam, with the gradient's length limited to 1.
type optimizer struct {
	steps        int
	mean, square [][]float32
}

const (
	beta1 = 0.9
	beta2 = 0.98
)

func newOptimizer(m *model) *optimizer {
	o := &optimizer{}
	for _, x := range m.matrices() {
		o.mean = append(o.mean, make([]float32, len(x.w)))
		o.square = append(o.square, make([]float32, len(x.w)))
	}
	return o
}

// step changes the weights of m by the gradients of the shadows, and clears these.
func (o *optimizer) step(m *model, shadows [batch]*model, rate float64) {
	square := 0.0
	all := m.matrices()
	for i, x := range all {
		clear(x.g)
		for _, s := range shadows {
			g := s.matrices()[i].g
			addScaled(x.g, 1./batch, g)
			clear(g)
		}
		square += float64(dot(x.g, x.g))
	}
	limit := float32(1 / max(math.Sqrt(square), 1))
	o.steps++
	rate *= math.Sqrt(1-math.Pow(beta2, float64(o.steps))) / (1 - math.Pow(beta1, float64(o.steps)))
	for i, x := range all {
		mean, squares := o.mean[i], o.square[i]
		for j := range x.w {
			g := x.g[j] * limit
			mean[j] = float32(beta1*mean[j]) + float32((1-beta1)*g)
			squares[j] = float32(beta2*squares[j]) + float32((1-beta2)*g*g)
			x.w[j] -= float32(rate) * mean[j] / (float32(math.Sqrt(float64(squares[j]))) + 1e-8)
		}
	}
}

// store adds the weights to a file.
func (m *model) store(f *gguf.File) {
	put := func(name string, x *matrix) {
		t := &gguf.Tensor{Name: name, Type: gguf.Q8, Dims: []int{x.cols, x.rows}, Data: gguf.Quantize(x.w)}
		if x.rows == 1 {
			t.Type, t.Dims, t.Data = gguf.F32, t.Dims[:1], nil
			for _, w := range x.w {
				t.Data = binary.LittleEndian.AppendUint32(t.Data, math.Float32bits(w))
			}
		}
		f.Add(t)
	}
	put("token_embd.weight", &m.embedding)
	for i := range m.layers {
		l := &m.layers[i]
		name := func(part string) string { return fmt.Sprintf("blk.%d.%s.weight", i, part) }
		put(name("attn_norm"), &l.norm)
		put(name("attn_q"), &l.query)
		put(name("attn_k"), &l.key)
		put(name("attn_v"), &l.value)
		put(name("attn_output"), &l.output)
		put(name("ffn_norm"), &l.feedNorm)
		put(name("ffn_gate"), &l.gate)
		put(name("ffn_up"), &l.up)
		put(name("ffn_down"), &l.down)
	}
	put("output_norm.weight", &m.norm)
}
