package infer

import (
	"encoding/binary"
	"math"

	"vyretop/megakernel/workload/infer/gguf"
)

// block is the number of weights that the kernel reads at once; rows are padded with zeros to whole blocks.
const block = gguf.BlockWeights

func padded(n int) int { return (n + block - 1) / block * block }

// packer collects the words of the buffers "weights" and "scales".
type packer struct {
	format  gguf.Type
	weights []uint32
	scales  []uint32
}

// row is one row of a matrix: row n of a tensor.
type row struct {
	t *gguf.Tensor
	n int
}

// rowsOf are the rows of tensors, one tensor after the other.
func rowsOf(list ...*gguf.Tensor) (out []row) {
	for _, t := range list {
		for n := range t.Rows() {
			out = append(out, row{t, n})
		}
	}
	return out
}

// pairsOf takes rows of two tensors in turn.
func pairsOf(a, b *gguf.Tensor) (out []row) {
	for n := range a.Rows() {
		out = append(out, row{a, n}, row{b, n})
	}
	return out
}

// matrix is where the kernel finds a matrix.
type matrix struct {
	weights, scales int // first quad in "weights", first number in "scales"
	blocks, rows    int
}

// add packs rows of equal length. Their number becomes even.
func (p *packer) add(rows []row) matrix {
	m := matrix{weights: len(p.weights) / 4, scales: len(p.scales), blocks: padded(rows[0].t.Columns()) / block, rows: (len(rows) + 1) / 2 * 2}
	for _, r := range rows {
		p.row(r)
	}
	if len(rows)%2 != 0 {
		p.weights = append(p.weights, make([]uint32, m.blocks*p.blockWords())...)
		if p.format == gguf.Q8 {
			p.scales = append(p.scales, make([]uint32, m.blocks)...)
		}
	}
	return m
}

func (p *packer) blockWords() int {
	switch p.format {
	case gguf.Q8:
		return block / 4
	case gguf.F16:
		return block / 2
	}
	return block
}

func (p *packer) row(r row) {
	columns := r.t.Columns()
	switch p.format {
	case gguf.Q8:
		stored := r.t.Data[r.n*columns/block*gguf.BlockBytes:][:columns/block*gguf.BlockBytes]
		for ; len(stored) > 0; stored = stored[gguf.BlockBytes:] {
			p.scales = append(p.scales, math.Float32bits(gguf.FromHalf(binary.LittleEndian.Uint16(stored))))
			p.weights = appendWords(p.weights, stored[2:gguf.BlockBytes])
		}
	case gguf.F16:
		stored := make([]byte, 2*padded(columns))
		copy(stored, r.t.Data[2*r.n*columns:][:2*columns])
		p.weights = appendWords(p.weights, stored)
	default:
		list := make([]float32, padded(columns))
		r.t.Values(list, r.n)
		for _, v := range list {
			p.weights = append(p.weights, math.Float32bits(v))
		}
	}
}

func appendWords(words []uint32, data []byte) []uint32 {
	for ; len(data) >= 4; data = data[4:] {
		words = append(words, binary.LittleEndian.Uint32(data))
	}
	return words
}

// vector adds the numbers of a tensor to "scales", padded with zeros, and returns where they are.
func (p *packer) vector(t *gguf.Tensor) int {
	at := len(p.scales)
	list := make([]float32, padded(t.Columns()))
	t.Values(list, 0)
	for _, v := range list {
		p.scales = append(p.scales, math.Float32bits(v))
	}
	return at
}

// angles adds the cosine and sine by which each position turns each pair of a head's numbers.
func (p *packer) angles(s *size, positions int) int {
	at := len(p.scales)
	for position := range positions {
		for i := 0; i < s.turned; i += 2 {
			sin, cos := math.Sincos(float64(position) * math.Pow(s.base, -float64(i)/float64(s.turned)))
			p.scales = append(p.scales, math.Float32bits(float32(cos)), math.Float32bits(float32(sin)))
		}
	}
	return at
}
