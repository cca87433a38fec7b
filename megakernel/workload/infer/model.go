package infer

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/megakernel/workload"
	"vyretop/megakernel/workload/infer/gguf"
)

// Limits of a model: its numbers must fit the shared memory of a worker, and its buffers what every device offers.
const (
	maxModelBytes = 1 << 30
	maxColumns    = 4096
	maxRows       = 1 << 18
	maxLayers     = 256
	maxHead       = 256
	maxContext    = 1 << 17
)

// size says how large a model is.
type size struct {
	layers, width, hidden int
	heads, keyHeads, head int
	turned                int // numbers of a head that the position turns
	context, vocabulary   int
	epsilon, base         float64
}

// attention is the number of rows of queries, and keys that of keys, and of values.
func (s *size) attention() int { return s.heads * s.head }
func (s *size) keys() int      { return s.keyHeads * s.head }

// layer has the tensors of one layer.
type layer struct {
	norm, query, key, value, output, feedNorm, gate, up, down *gguf.Tensor
}

// Model is a language model that has been read: the architecture "llama" of GGUF.
type Model struct {
	size
	name      string
	tokens    *gguf.Tokenizer
	embedding *gguf.Tensor
	layers    []layer
	norm      *gguf.Tensor
	output    *gguf.Tensor // the embedding, if the file has no matrix of its own
}

// Load reads a model from a file. Errors are workload.ErrInput, and those of packages gguf and token.
func Load(path string) (*Model, error) {
	data, err := plainfile.Read(path, maxModelBytes)
	if err != nil {
		return nil, workload.Failure(workload.ErrInput, path, "the model cannot be read", err, plainfile.Fix(err))
	}
	return parse(filepath.Base(path), data)
}

func parse(name string, data []byte) (*Model, error) {
	m, err := parseModel(name, data)
	if err != nil {
		return nil, &fault.Error{Kind: workload.ErrInput, Cause: err}
	}
	return m, nil
}

func parseModel(name string, data []byte) (*Model, error) {
	f, err := gguf.Read(name, data)
	if err != nil {
		return nil, err
	}
	m := &Model{name: name}
	for _, step := range []func(*gguf.File) error{m.architecture, m.sizes, m.tensors, m.unify, m.tokenizer} {
		if err := step(f); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *Model) unsupported(detail string) error {
	return &fault.Error{Kind: gguf.ErrUnsupported, Subject: m.name, Detail: detail, Fix: "use a model of the architecture llama, of at most 4096 columns"}
}

// architecture refuses what would be computed wrongly.
func (m *Model) architecture(f *gguf.File) error {
	name, _, err := gguf.Value[string](f, "general.architecture")
	switch {
	case err != nil:
		return err
	case name != "llama":
		return m.unsupported(fmt.Sprintf("architecture %q", name))
	}
	if kind, _, _ := gguf.Value[string](f, "llama.rope.scaling.type"); kind != "" && kind != "none" {
		return m.unsupported(fmt.Sprintf("positions are scaled (%s)", kind))
	}
	experts, err := f.Count("llama.expert_count", 0, math.MaxInt32, 0)
	if err == nil && experts > 0 {
		return m.unsupported(fmt.Sprintf("%d experts", experts))
	}
	return err
}

func (m *Model) sizes(f *gguf.File) error {
	tokens, _, err := gguf.Value[[]string](f, "tokenizer.ggml.tokens")
	if err != nil {
		return err
	}
	m.vocabulary = len(tokens)
	count := func(to *int, key string, low, high, otherwise int) {
		if err == nil {
			*to, err = f.Count("llama."+key, low, high, otherwise)
		}
	}
	count(&m.size.layers, "block_count", 1, maxLayers, -1)
	count(&m.width, "embedding_length", 1, maxColumns, -1)
	count(&m.hidden, "feed_forward_length", 1, maxColumns, -1)
	count(&m.heads, "attention.head_count", 1, maxColumns, -1)
	count(&m.keyHeads, "attention.head_count_kv", 1, maxColumns, m.heads)
	count(&m.context, "context_length", 1, math.MaxInt32, -1)
	if err != nil {
		return err
	}
	count(&m.head, "attention.key_length", 4, maxHead, max(m.width/m.heads, 1))
	count(&m.turned, "rope.dimension_count", 2, maxHead, m.head)
	if err != nil {
		return err
	}
	if m.heads%m.keyHeads != 0 || m.head%4 != 0 || m.head > maxHead || m.turned%2 != 0 || m.turned > m.head || m.attention() > maxColumns {
		return m.unsupported(fmt.Sprintf("%d heads of %d numbers, %d of them turned, share %d heads of keys", m.heads, m.head, m.turned, m.keyHeads))
	}
	if m.vocabulary < 2 || m.vocabulary > maxRows {
		return m.unsupported(fmt.Sprintf("a vocabulary of %d tokens", m.vocabulary))
	}
	if m.epsilon, err = f.Float("llama.attention.layer_norm_rms_epsilon", 1, 1e-5); err != nil {
		return err
	}
	m.base, err = f.Float("llama.rope.freq_base", 1e9, 10000)
	m.context = min(m.context, 4*(sharedQuads-m.head/4)) / 4 * 4 // scores of all positions are in shared memory, as quads
	if m.context == 0 {
		return m.unsupported("a context of fewer than 4 tokens")
	}
	return err
}

// tensors finds the weights, and refuses a file that has others, which would change the result.
func (m *Model) tensors(f *gguf.File) (err error) {
	used := map[string]bool{}
	get := func(name string, dims ...int) (t *gguf.Tensor) {
		if err == nil {
			t, err = f.Shaped(name, dims...)
			used[name] = true
		}
		return t
	}
	m.embedding = get("token_embd.weight", m.width, m.vocabulary)
	m.norm = get("output_norm.weight", m.width)
	m.output = m.embedding
	if f.Tensor("output.weight") != nil {
		m.output = get("output.weight", m.width, m.vocabulary)
	}
	for i := range m.size.layers {
		part := func(name string, dims ...int) *gguf.Tensor {
			return get(fmt.Sprintf("blk.%d.%s.weight", i, name), dims...)
		}
		m.layers = append(m.layers, layer{
			norm: part("attn_norm", m.width), query: part("attn_q", m.width, m.attention()), key: part("attn_k", m.width, m.keys()), value: part("attn_v", m.width, m.keys()),
			output: part("attn_output", m.attention(), m.width), feedNorm: part("ffn_norm", m.width),
			gate: part("ffn_gate", m.width, m.hidden), up: part("ffn_up", m.width, m.hidden), down: part("ffn_down", m.hidden, m.width),
		})
	}
	if err != nil {
		return err
	}
	for _, t := range f.Tensors {
		if !used[t.Name] {
			return m.unsupported(fmt.Sprintf("tensor %s is not part of the architecture llama as it is computed here", t.Name))
		}
	}
	return nil
}

func (m *Model) tokenizer(f *gguf.File) (err error) {
	m.tokens, err = f.Tokenizer()
	return err
}

// format is how all matrices are stored, in memory and on the device.
func (m *Model) format() gguf.Type { return m.embedding.Type }

// unify makes all matrices F32 where the file mixes types.
func (m *Model) unify(*gguf.File) error {
	list := m.matrices()
	if !slices.ContainsFunc(list, func(t *gguf.Tensor) bool { return t.Type != list[0].Type }) {
		return nil
	}
	for _, t := range list {
		t.Widen()
	}
	return nil
}

func (m *Model) matrices() []*gguf.Tensor {
	list := []*gguf.Tensor{m.embedding, m.output}
	for i := range m.layers {
		l := &m.layers[i]
		list = append(list, l.query, l.key, l.value, l.output, l.gate, l.up, l.down)
	}
	return list
}

// weights counts those that are read for one position.
func (m *Model) weights() int64 {
	n := int64(0)
	for _, t := range m.matrices()[1:] {
		n += int64(t.Columns()) * int64(t.Rows())
	}
	return n
}
