package infer

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"go.uber.org/goleak"

	"vyretop/megakernel/workload/infer/gguf"
)

// shape is the size of a model with random weights.
type shape struct {
	kind                                            gguf.Type
	layers, width, hidden, heads, keyHeads, context int
	vocabulary                                      int
	tied                                            bool
}

func small(kind gguf.Type) shape {
	return shape{kind: kind, layers: 2, width: 32, hidden: 64, heads: 4, keyHeads: 2, context: 24, vocabulary: 261, tied: true}
}

// file makes a model with random weights, which writes nonsense.
func (s shape) file(seed uint64) *gguf.File {
	rng := rand.New(rand.NewPCG(seed, 1))
	f := gguf.New()
	put := func(name string, kind gguf.Type, dims ...int) { f.Add(random(rng, name, kind, dims)) }
	head := s.width / s.heads
	put("token_embd.weight", s.kind, s.width, s.vocabulary)
	for i := range s.layers {
		part := func(name string, dims ...int) { put(fmt.Sprintf("blk.%d.%s.weight", i, name), s.kind, dims...) }
		put(fmt.Sprintf("blk.%d.attn_norm.weight", i), gguf.F32, s.width)
		part("attn_q", s.width, s.width)
		part("attn_k", s.width, s.keyHeads*head)
		part("attn_v", s.width, s.keyHeads*head)
		part("attn_output", s.width, s.width)
		put(fmt.Sprintf("blk.%d.ffn_norm.weight", i), gguf.F32, s.width)
		part("ffn_gate", s.width, s.hidden)
		part("ffn_up", s.width, s.hidden)
		part("ffn_down", s.hidden, s.width)
	}
	put("output_norm.weight", gguf.F32, s.width)
	if !s.tied {
		put("output.weight", s.kind, s.width, s.vocabulary)
	}
	var tokens []string
	for _, r := range gguf.Alphabet {
		tokens = append(tokens, string(r))
	}
	for i := len(tokens); i < s.vocabulary; i++ {
		tokens = append(tokens, fmt.Sprintf("<|%d|>", i))
	}
	for key, v := range map[string]any{
		"general.architecture": "llama", "llama.context_length": uint64(s.context), "llama.embedding_length": uint64(s.width),
		"llama.block_count": uint64(s.layers), "llama.feed_forward_length": uint64(s.hidden),
		"llama.attention.head_count": uint64(s.heads), "llama.attention.head_count_kv": uint64(s.keyHeads),
		"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.tokens": tokens,
	} {
		f.Meta[key] = v
	}
	return f
}

func random(rng *rand.Rand, name string, kind gguf.Type, dims []int) *gguf.Tensor {
	t := &gguf.Tensor{Name: name, Type: kind, Dims: dims}
	weights := make([]float32, t.Columns()*t.Rows())
	for i := range weights {
		weights[i] = float32(rng.NormFloat64()) / float32(math.Sqrt(float64(t.Columns())))
		switch kind {
		case gguf.F32:
			t.Data = binary.LittleEndian.AppendUint32(t.Data, math.Float32bits(weights[i]))
		case gguf.F16:
			t.Data = binary.LittleEndian.AppendUint16(t.Data, gguf.ToHalf(weights[i]))
		}
	}
	if kind == gguf.Q8 {
		t.Data = gguf.Quantize(weights)
	}
	return t
}

// model is the file's model, read from its bytes.
func model(t testing.TB, f *gguf.File) *Model {
	m, err := parse("test.gguf", encoded(t, f))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func encoded(t testing.TB, f *gguf.File) []byte {
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestMain makes sure that no run leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
