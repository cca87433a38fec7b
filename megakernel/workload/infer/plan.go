package infer

import (
	"fmt"
	"math"
	"strings"

	"vyretop/engine/glsl/source"
	"vyretop/megakernel/workload"
	"vyretop/megakernel/workload/infer/gguf"
)

// Sizes that infer.glsl declares too.
const (
	maxBatch      = 8
	sharedQuads   = 1024 // INFER_QUADS
	sharedParts   = 1024 // INFER_PARTS
	batchWords    = 4
	sequenceWords = 8
	stateHead     = 4
	textHead      = 4
	none          = ^uint32(0)
)

// tileWeights is how many weights a task multiplies, about: fewer make more tasks, which more workers can run at once.
const tileWeights = 1 << 15

// maxTiles keeps the tasks of an operation below the slots that are kept for spawned tasks.
const maxTiles = 256

// plan is where everything is on the device, for some sequences of a model.
type plan struct {
	m         *Model
	batch     int
	positions int // of a sequence, a multiple of 4
	prompts   [][]int
	limit     int

	packer
	list   []uint32 // of matrices, as infer.glsl reads them
	logits matrix
	tile   int // rows of a task of the logits
	tiles  int // of the logits
	most   int // tiles of any operation
}

func newPlan(m *Model, prompts [][]int, limit, batch, tile int) *plan {
	p := &plan{m: m, batch: max(min(batch, len(prompts), maxColumns/padded(max(m.width, m.hidden, m.attention()))), 1), prompts: prompts, limit: limit, packer: packer{format: m.format()}}
	longest := 0
	for _, t := range prompts {
		longest = max(longest, len(t))
	}
	p.positions = (min(m.context, longest+limit) + 3) / 4 * 4
	p.most = p.batch * m.heads
	for i := range m.layers {
		l := &m.layers[i]
		p.matrix(rowsOf(l.query, l.key, l.value), l.norm, tile)
		p.matrix(rowsOf(l.output), nil, tile)
		p.matrix(pairsOf(l.gate, l.up), l.feedNorm, tile)
		p.matrix(rowsOf(l.down), nil, tile)
	}
	p.logits = p.matrix(rowsOf(m.output), m.norm, tile)
	p.tile, p.tiles = int(p.list[len(p.list)-3]), int(p.list[len(p.list)-1])
	if m.output == m.embedding {
		p.list = append(p.list, p.list[len(p.list)-8:]...)
	} else {
		p.matrix(rowsOf(m.embedding), nil, tile)
	}
	return p
}

// matrix adds a matrix and the norm before it.
func (p *plan) matrix(rows []row, norm *gguf.Tensor, tile int) matrix {
	x := p.add(rows)
	at := none
	if norm != nil {
		at = uint32(p.vector(norm))
	}
	step := max(sharedParts/(p.batch*x.blocks)/2*2, 2)
	if tile == 0 {
		tile = tileWeights / (x.blocks * block)
	}
	tile = min(max((tile+1)/2*2, (x.rows+maxTiles-1)/maxTiles, 2), x.rows)
	tile = (tile + 1) / 2 * 2
	step = min(step, tile)
	tiles := (x.rows + tile - 1) / tile
	p.most = max(p.most, tiles)
	p.list = append(p.list, uint32(x.weights), uint32(x.scales), at, uint32(x.blocks), uint32(x.rows), uint32(tile), uint32(step), uint32(tiles))
	return x
}

func (p *plan) batches() int { return (len(p.prompts) + p.batch - 1) / p.batch }

// stride is how many numbers a sequence has between operations.
func (p *plan) stride() int {
	return padded(p.m.width) + 2*padded(p.m.attention()) + padded(p.m.hidden) + p.logits.rows
}

// Where the parts of "state" begin, behind its head.
func (p *plan) sequencesAt() int { return p.batches() * batchWords }
func (p *plan) promptsAt() int   { return p.sequencesAt() + len(p.prompts)*sequenceWords }
func (p *plan) spawnedAt() int   { return p.promptsAt() + len(p.prompts)*p.positions }
func (p *plan) bestAt() int      { return p.spawnedAt() + p.batches()*p.most }
func (p *plan) stateWords() int  { return stateHead + p.bestAt() + len(p.prompts)*p.tiles }

// cacheQuads is the size of all keys, and of all values.
func (p *plan) cacheQuads() int {
	return p.m.size.layers * len(p.prompts) * p.m.keys() * p.positions / 4
}

// span is how many quads of positions one lane sums up. It depends on the model alone, as sums do.
func (p *plan) span() int {
	columns := p.m.head/4 + 1
	most := sharedParts / 4 / columns
	return max(((p.m.context+3)/4+most-1)/most, 8)
}

func (p *plan) words() []uint32 {
	s := &p.m.size
	end := none
	if p.m.tokens.End >= 0 {
		end = uint32(p.m.tokens.End)
	}
	angles := p.angles(s, p.positions)
	out := []uint32{
		uint32(s.layers), uint32(padded(s.width)), uint32(s.heads), uint32(s.heads / s.keyHeads), uint32(s.head), uint32(s.turned),
		uint32(padded(s.hidden)), uint32(s.vocabulary), uint32(p.positions), uint32(p.batch), uint32(len(p.prompts)), end,
		uint32(p.stride()), uint32(angles), math.Float32bits(float32(s.epsilon)), math.Float32bits(1 / float32(s.width)),
		math.Float32bits(s.sharpness()), uint32(p.span()), uint32(p.most),
		uint32(p.sequencesAt()), uint32(p.promptsAt()), uint32(p.spawnedAt()), uint32(p.bestAt()),
		uint32(padded(s.attention())), uint32(p.cacheQuads()), uint32(p.tiles),
	}
	return append(out, p.list...)
}

// sharpness is the factor of scores, one over the root of a head's size.
func (s *size) sharpness() float32 { return float32(1 / math.Sqrt(float64(s.head))) }

// state is the buffer "state" at the start: every sequence reads the first token of its prompt.
func (p *plan) state() []uint32 {
	out := make([]uint32, p.stateWords())
	out[0] = uint32(p.batches())
	for i, prompt := range p.prompts {
		copy(out[stateHead+p.sequencesAt()+i*sequenceWords:], []uint32{0, uint32(len(prompt)), uint32(p.limit), uint32(prompt[0])})
		for k, t := range prompt {
			out[stateHead+p.promptsAt()+i*p.positions+k] = uint32(t)
		}
	}
	return out
}

// textWords is the size of the buffer "text".
func (p *plan) textWords() int { return textHead + 2*len(p.prompts)*(1+p.positions) }

// contents are all buffers by name.
func (p *plan) contents() map[string]workload.Buffer {
	words := p.words() // first: it adds to the scales
	return map[string]workload.Buffer{
		"weights": {Initial: p.weights},
		"scales":  {Initial: p.scales},
		"plan":    {Initial: words},
		"numbers": {Words: len(p.prompts) * p.stride()},
		"cache":   {Words: 2 * 4 * p.cacheQuads()},
		"state":   {Initial: p.state()},
		"text":    {Words: p.textWords()},
	}
}

// fill gives the manifest's buffers their sizes and contents, and the handler the format of the weights.
func (p *plan) fill(setup *workload.Setup, file string) error {
	contents := p.contents()
	for i := range setup.Buffers {
		b := &setup.Buffers[i]
		want, ok := contents[b.Name]
		if !ok {
			return workload.Invalid(workload.ErrValue, workload.Where(file, 0, "buffer "+b.Name), "the infer driver does not fill it", nil, "remove the buffer")
		}
		b.Initial, b.Words = want.Initial, max(want.Words, len(want.Initial))
		if b.Words > workload.MaxBufferWords {
			return workload.Failure(workload.ErrInput, p.m.name, fmt.Sprintf("buffer %s needs %d MiB, at most %d fit", b.Name, b.Words>>18, workload.MaxBufferWords>>18), nil, "use a smaller model, fewer sequences or fewer tokens")
		}
		delete(contents, b.Name)
	}
	for name := range contents {
		return workload.Invalid(workload.ErrMissing, workload.Where(file, 0, "buffer "+name), "the infer driver needs it", nil, "take the [[buffer]] from the shipped workload")
	}
	p.adapt(setup)
	return nil
}

// adapt gives the handler the format of the weights.
func (p *plan) adapt(setup *workload.Setup) {
	for i, s := range setup.Sources {
		setup.Sources[i] = &source.File{Name: s.Name, Text: strings.Replace(s.Text, formatLine(gguf.Q8), formatLine(p.format), 1)}
	}
}

func formatLine(t gguf.Type) string { return fmt.Sprintf("#define INFER_FORMAT %d ", t) }
