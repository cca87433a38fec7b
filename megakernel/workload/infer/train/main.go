// Command train makes the model that the workload infer ships: it learns text.txt by heart and writes the weights as GGUF.
//
//	go run ./megakernel/workload/infer/train -out megakernel/workload/shipped/infer/model.gguf
//
// The same program writes the same bytes on every machine: seeds are fixed, and each sum is made in one order.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"sync"

	"vyretop/megakernel/workload/infer/gguf"
)

//go:embed text.txt
var text string

const (
	vocabularySize = 384
	batch          = 2
	warmup         = 40
	peakRate       = 4e-3
	lastRate       = 1e-4
)

func main() {
	out := flag.String("out", "model.gguf", "write the model to this `file`")
	steps := flag.Int("steps", 1500, "number of training steps")
	flag.Parse()
	f, err := os.Create(*out)
	if err == nil {
		err = train(*steps, log.Printf).Write(f)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		log.Fatal(err)
	}
}

// train makes the model, in a number of steps.
func train(steps int, printf func(string, ...any)) *gguf.File {
	tokens, merges := vocabulary(text, vocabularySize)
	file := metadata(tokens, merges)
	data, err := encode(file)
	if err != nil {
		log.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1863, 1704))
	m := newModel(len(tokens))
	m.initialize(rng)
	o := newOptimizer(m)
	shadows := [batch]*model{}
	for i := range shadows {
		shadows[i] = m.shadow()
	}
	mean := 0.0
	for s := range steps {
		loss := walk(shadows, data, rng)
		o.step(m, shadows, rate(s, steps))
		mean += loss
		if s%50 == 49 {
			printf("step %d: loss %.4f", s+1, mean/50)
			mean = 0
		}
	}
	m.store(file)
	return file
}

// rate is the learning rate of a step: it rises, then falls along half a cosine.
func rate(s, steps int) float64 {
	if s < warmup {
		return peakRate * float64(s+1) / warmup
	}
	done := float64(s-warmup) / float64(max(steps-warmup, 1))
	return lastRate + (peakRate-lastRate)*(1+math.Cos(math.Pi*done))/2
}

// walk sends a window through each shadow and back, and returns the mean loss.
func walk(shadows [batch]*model, data []int, rng *rand.Rand) float64 {
	var losses [batch]float64
	var group sync.WaitGroup
	for i, s := range shadows {
		at := rng.IntN(len(data) - 1)
		tokens, next := window(data, at)
		group.Go(func() {
			p := &pass{m: s}
			losses[i] = p.forward(tokens, next)
			p.backward(tokens, next)
		})
	}
	group.Wait()
	sum := 0.0
	for _, l := range losses {
		sum += l
	}
	return sum / batch
}

// window is a part of the text, which begins again at its end, and the tokens that follow each of its own.
func window(data []int, at int) (tokens, next []int) {
	for i := range context {
		tokens = append(tokens, data[(at+i)%len(data)])
		next = append(next, data[(at+i+1)%len(data)])
	}
	return tokens, next
}

// encode gives the tokens of all texts, each behind endOfText.
func encode(file *gguf.File) ([]int, error) {
	t, err := file.Tokenizer()
	if err != nil {
		return nil, err
	}
	var data []int
	for _, part := range strings.Split(text, "\n\n") {
		list, err := t.Encode(strings.TrimRight(part, "\n") + "\n")
		if err != nil {
			return nil, err
		}
		data = append(append(data, t.End), list...)
	}
	return data, nil
}

func metadata(tokens, merges []string) *gguf.File {
	f := gguf.New()
	for key, v := range map[string]any{
		"general.architecture": "llama", "general.name": "vyretop tiny", "general.license": "CC0-1.0",
		"general.description":                    fmt.Sprintf("recites the Gettysburg Address and Newton's definitions of light (public domain): %d bytes of text", len(text)),
		"llama.context_length":                   uint64(context),
		"llama.embedding_length":                 uint64(width),
		"llama.block_count":                      uint64(layers),
		"llama.feed_forward_length":              uint64(hidden),
		"llama.attention.head_count":             uint64(heads),
		"llama.attention.head_count_kv":          uint64(heads),
		"llama.attention.layer_norm_rms_epsilon": float64(float32(epsilon)),
		"llama.rope.freq_base":                   float64(ropeBase),
		"llama.rope.dimension_count":             uint64(headDim),
		"tokenizer.ggml.model":                   "gpt2",
		"tokenizer.ggml.pre":                     "gpt-2",
		"tokenizer.ggml.tokens":                  tokens,
		"tokenizer.ggml.merges":                  merges,
		"tokenizer.ggml.eos_token_id":            uint64(len(tokens) - 1),
	} {
		f.Meta[key] = v
	}
	return f
}
