package infer

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vyretop/engine/backendtest"
	"vyretop/engine/reference"
	"vyretop/megakernel"
	"vyretop/megakernel/internal/rig"
	"vyretop/megakernel/resident"
	"vyretop/megakernel/workload"
	"vyretop/megakernel/workload/infer/gguf"
)

func run(t *testing.T, backend string, m *Model, o Options, s rig.Shape) Result {
	r := New(rig.Manifest(t, "infer"), o)
	r.given = m
	out, err := rig.Run(rig.Deadline(t), backendtest.All[backend](t), r, s)
	if err != nil || !out.Verification.OK {
		t.Fatal(backend, out.Verification, err)
	}
	return out.Result.(Result)
}

// TestEqualTextEverywhere: backend, workers, lanes, tiles, batches and retuning change neither a token nor a bit of a logit.
func TestEqualTextEverywhere(t *testing.T) {
	prompts := filepath.Join(t.TempDir(), "prompts")
	if err := os.WriteFile(prompts, []byte("ab\nlonger\r\n\nq\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := model(t, small(gguf.Q8).file(1))
	m.tokens.End = 260
	first := ""
	for name, open := range backendtest.All {
		slow := backendtest.CompilesSlowly(open(t))
		for _, c := range []struct {
			batch, tile int
			shape       rig.Shape
		}{
			{4, 0, rig.Shape{Workers: 1, Lanes: 8}},
			{1, 6, rig.Shape{Workers: 3, Lanes: 8, Beside: retune(t)}},
			{3, 40, rig.Shape{Workers: 2, Lanes: 4}},
		} {
			if slow && c.shape.Lanes != 8 {
				continue
			}
			got := run(t, name, m, Options{Prompts: prompts, tokens: 4, batch: c.batch, tile: c.tile}, c.shape)
			if first == "" {
				first = got.Digest
			}
			if got.Digest != first || len(got.Sequences) != 4 {
				t.Errorf("%s %+v: %+v, elsewhere %s", name, c, got, first)
			}
		}
	}
}

func retune(t *testing.T) func(context.Context, *resident.Session) {
	return func(ctx context.Context, s *resident.Session) {
		rng := rand.New(rand.NewPCG(3, 4))
		for ctx.Err() == nil {
			if err := s.Retune(rig.Deadline(t), megakernel.Shape{Workers: 1 + rng.IntN(3), Lanes: 4 + rng.IntN(5)}); err != nil {
				t.Error(err)
				return
			}
		}
	}
}

// TestModelsOfAllKinds: types of weights, sizes that are not whole blocks, shared heads and matrices of their own are
// computed as the independent implementation does.
func TestModelsOfAllKinds(t *testing.T) {
	odd := shape{kind: gguf.F16, layers: 1, width: 40, hidden: 36, heads: 5, keyHeads: 1, context: 16, vocabulary: 257}
	mixed := small(gguf.F32).file(3)
	*mixed.Tensor("blk.1.attn_v.weight") = *small(gguf.Q8).file(4).Tensor("blk.1.attn_v.weight")
	for name, m := range map[string]*Model{
		"F32": model(t, small(gguf.F32).file(2)), "F16": model(t, small(gguf.F16).file(2)), "odd": model(t, odd.file(5)), "mixed": model(t, mixed),
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, "reference", m, Options{Prompt: "x", Given: true, tokens: 5, sequences: 2, batch: 2}, rig.Shape{})
			if got.Tokens != 10 || got.Sequences[0].Text != got.Sequences[1].Text {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestSequencesStop: at the number of tokens, at the end of the context, and at the token that ends a text.
func TestSequencesStop(t *testing.T) {
	m := model(t, small(gguf.Q8).file(7))
	options := Options{Prompt: "0123456789", Given: true, tokens: 3, batch: 1}
	got := run(t, "reference", m, options, rig.Shape{}).Sequences[0]
	if got.Stopped != "tokens" || got.Tokens != 3 {
		t.Errorf("%+v", got)
	}
	options.tokens = 100
	full := run(t, "reference", m, options, rig.Shape{}).Sequences[0]
	if full.Stopped != "context full" || full.Tokens != 24-10+1 || !strings.HasPrefix(full.Text, got.Text) {
		t.Errorf("%+v after %+v", full, got)
	}
	tokens, err := m.tokens.Encode(full.Text[:1])
	if err != nil {
		t.Skip("the first character is longer than a byte")
	}
	m.tokens.End = tokens[0]
	if got := run(t, "reference", m, options, rig.Shape{}).Sequences[0]; got.Stopped != "end of text" || got.Tokens != 1 {
		t.Errorf("%+v", got)
	}
}

// TestLogitsThatAreNotFiniteEndASequence: a model with infinite weights writes nothing, and the run says why.
func TestLogitsThatAreNotFiniteEndASequence(t *testing.T) {
	f := small(gguf.F16).file(8)
	w := f.Tensor("output_norm.weight")
	copy(w.Data, []byte{0, 0, 0x80, 0x7F})
	got := run(t, "reference", model(t, f), Options{Prompt: "a", Given: true, tokens: 3, batch: 1}, rig.Shape{}).Sequences[0]
	if got.Stopped != "logits are not finite" || got.Tokens != 0 {
		t.Errorf("%+v", got)
	}
}

// TestSpawnsThatDoNotFitAreMadeLater: with few slots, an operation's tasks are spawned in several activations, each once.
func TestSpawnsThatDoNotFitAreMadeLater(t *testing.T) {
	m := model(t, small(gguf.Q8).file(1))
	want := run(t, "reference", m, Options{Prompt: "ab", Given: true, tokens: 2, batch: 1, sequences: 3}, rig.Shape{})
	got := run(t, "reference", m, Options{Prompt: "ab", Given: true, tokens: 2, batch: 1, sequences: 3, tile: 2}, rig.Shape{Slots: 64, Workers: 2, Lanes: 8})
	if got.Digest != want.Digest {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestVerifyNoticesOneBit checks the checker.
func TestVerifyNoticesOneBit(t *testing.T) {
	r := New(rig.Manifest(t, "infer"), Options{Prompt: "ab", Given: true, tokens: 3, batch: 1, sequences: 2})
	r.given = model(t, small(gguf.Q8).file(1))
	if out, err := rig.Run(rig.Deadline(t), backendtest.Reference(t, reference.Options{}), r, rig.Shape{}); err != nil || !out.Verification.OK {
		t.Fatal(out.Verification, err)
	}
	for _, at := range []int{textHead, textHead + 1, textHead + 4, textHead + 5, textHead + 4 + 2*r.plan.positions + 3} {
		r.final[at] ^= 1
		if v, err := r.Verify(t.Context()); err != nil || v.OK {
			t.Errorf("word %d: %+v, %v", at, v, err)
		}
		r.final[at] ^= 1
	}
}

func TestFlags(t *testing.T) {
	d := Definition{Manifest: rig.Manifest(t, "infer")}
	for _, values := range []map[string]string{{"tokens": "0"}, {"sequences": "x"}, {"batch": "9"}, {"tile": "-1"}, {"temperature": "1"}, {"prompt": "a", "prompts": "b"}} {
		if _, err := d.New(values); !errors.Is(err, workload.ErrFlag) || !strings.Contains(err.Error(), ". Fix: ") {
			t.Errorf("%v: %v", values, err)
		}
	}
	for _, f := range d.Flags() {
		if f.Name == "prompt" || f.Name == "prompts" {
			continue
		}
		if _, err := d.New(map[string]string{f.Name: f.Default}); err != nil {
			t.Errorf("--%s %s, its default: %v", f.Name, f.Default, err)
		}
	}
}

// TestUnusablePrompts: each is an error that says what to do, before anything runs.
func TestUnusablePrompts(t *testing.T) {
	m := model(t, small(gguf.Q8).file(1))
	for name, c := range map[string]struct {
		o    Options
		want error
	}{
		"longer than the context": {Options{Prompt: strings.Repeat("a", 25), Given: true}, workload.ErrInput},
		"empty, without an end":   {Options{Prompt: "", Given: true}, workload.ErrInput},
		"no file":                 {Options{Prompts: filepath.Join(t.TempDir(), "none")}, workload.ErrInput},
		"huge":                    {Options{Prompt: strings.Repeat("a", gguf.MaxText+1), Given: true}, gguf.ErrText},
	} {
		r := New(rig.Manifest(t, "infer"), c.o)
		r.given = m
		if _, err := r.Setup(t.Context()); !errors.Is(err, c.want) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestModelsThatLie: metadata and tensors that contradict each other, and what would be computed wrongly, are refused.
func TestModelsThatLie(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*gguf.File)
		want   error
	}{
		"another architecture":   {func(f *gguf.File) { f.Meta["general.architecture"] = "gpt2" }, gguf.ErrUnsupported},
		"no architecture":        {func(f *gguf.File) { delete(f.Meta, "general.architecture") }, gguf.ErrUnsupported},
		"architecture of a list": {func(f *gguf.File) { f.Meta["general.architecture"] = []string{"llama"} }, gguf.ErrMissing},
		"scaled positions":       {func(f *gguf.File) { f.Meta["llama.rope.scaling.type"] = "yarn" }, gguf.ErrUnsupported},
		"experts":                {func(f *gguf.File) { f.Meta["llama.expert_count"] = uint64(8) }, gguf.ErrUnsupported},
		"no layers":              {func(f *gguf.File) { f.Meta["llama.block_count"] = uint64(0) }, gguf.ErrMissing},
		"more layers":            {func(f *gguf.File) { f.Meta["llama.block_count"] = uint64(3) }, gguf.ErrMissing},
		"fewer layers":           {func(f *gguf.File) { f.Meta["llama.block_count"] = uint64(1) }, gguf.ErrUnsupported},
		"another width":          {func(f *gguf.File) { f.Meta["llama.embedding_length"] = uint64(64) }, gguf.ErrMissing},
		"negative width":         {func(f *gguf.File) { f.Meta["llama.embedding_length"] = int64(-32) }, gguf.ErrMissing},
		"huge width":             {func(f *gguf.File) { f.Meta["llama.embedding_length"] = uint64(1) << 40 }, gguf.ErrMissing},
		"more heads than width":  {func(f *gguf.File) { f.Meta["llama.attention.head_count"] = uint64(64) }, gguf.ErrUnsupported},
		"uneven key heads":       {func(f *gguf.File) { f.Meta["llama.attention.head_count_kv"] = uint64(3) }, gguf.ErrUnsupported},
		"no context":             {func(f *gguf.File) { f.Meta["llama.context_length"] = uint64(3) }, gguf.ErrUnsupported},
		"epsilon of 0":           {func(f *gguf.File) { f.Meta["llama.attention.layer_norm_rms_epsilon"] = 0.0 }, gguf.ErrMissing},
		"another tensor": {func(f *gguf.File) {
			f.Add(&gguf.Tensor{Name: "blk.0.attn_q.bias", Dims: []int{1}, Data: make([]byte, 4)})
		}, gguf.ErrUnsupported},
		"fewer tokens":          {func(f *gguf.File) { f.Meta["tokenizer.ggml.tokens"] = []string{"a", "b"} }, gguf.ErrMissing},
		"no tokens":             {func(f *gguf.File) { delete(f.Meta, "tokenizer.ggml.tokens") }, gguf.ErrUnsupported},
		"another tokenizer":     {func(f *gguf.File) { f.Meta["tokenizer.ggml.model"] = "bert" }, gguf.ErrTokenizer},
		"end beyond the tokens": {func(f *gguf.File) { f.Meta["tokenizer.ggml.eos_token_id"] = uint64(261) }, gguf.ErrMissing},
	} {
		f := small(gguf.Q8).file(1)
		c.change(f)
		if _, err := parse("test.gguf", encoded(t, f)); !errors.Is(err, c.want) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.gguf")); !errors.Is(err, workload.ErrInput) {
		t.Error(err)
	}
}

// FuzzModel: no file makes the reader panic or take much memory, and a model that is read can be laid out.
func FuzzModel(f *testing.F) {
	f.Add(encoded(f, small(gguf.Q8).file(1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parse("fuzz.gguf", data)
		if err != nil {
			if !strings.Contains(err.Error(), "Fix: ") {
				t.Errorf("an error that does not say what to do: %v", err)
			}
			return
		}
		newPlan(m, [][]int{{0}}, 4, 1, 0).contents()
	})
}
