package infer

import (
	"fmt"
	"math"

	"vyretop/megakernel/workload"
)

// Result is the result of a run as JSON.
type Result struct {
	Model     string     `json:"model"`
	Weights   string     `json:"weights"` // how matrices are stored
	Text      string     `json:"text"`    // of the first sequence, with its prompt
	Sequences []Sequence `json:"sequences"`
	Tokens    int        `json:"tokens"` // written, of all sequences
	Read      int        `json:"read"`   // of prompts
	Batch     int        `json:"batch"`
	PerSecond float64    `json:"tokens_per_s"` // that went through the model, from the first one on
	Digest    string     `json:"digest"`       // see the package comment
}

// Sequence is one text.
type Sequence struct {
	Prompt  string `json:"prompt"`
	Text    string `json:"text"` // that was written
	Tokens  int    `json:"tokens"`
	Stopped string `json:"stopped"` // why
}

// ResultDigest is the digest of the result.
func (r Result) ResultDigest() string { return r.Digest }

// written is one token of a sequence.
type written struct {
	token int
	logit uint32 // bits
}

// read copies the texts out of the kernel's memory, once.
func (r *Infer) read() []uint32 {
	if r.final == nil {
		r.final = make([]uint32, r.plan.textWords())
		r.text.Load().CopyTo(r.final, 0)
	}
	return r.final
}

// sequence is what was written of a sequence, and why it stopped.
func (r *Infer) sequence(i int) (list []written, stopped uint32) {
	words := r.read()[textHead:]
	n := min(int(words[2*i]), r.plan.positions)
	at := 2*len(r.plan.prompts) + 2*i*r.plan.positions
	for k := range n {
		list = append(list, written{int(words[at+2*k]), words[at+2*k+1]})
	}
	return list, words[2*i+1]
}

// Result implements workload.Workload.
func (r *Infer) Result() any {
	out := Result{Model: r.model.name, Weights: r.plan.format.String(), Batch: r.plan.batch}
	var words []uint32
	for i, prompt := range r.plan.prompts {
		list, stopped := r.sequence(i)
		words = append(words, uint32(len(list)), stopped)
		var tokens []int
		for _, w := range list {
			words = append(words, uint32(w.token), w.logit)
			if w.token < r.model.tokens.Len() {
				tokens = append(tokens, w.token)
			}
		}
		s := Sequence{Prompt: r.texts[i], Text: string(r.model.tokens.Decode(tokens)), Tokens: len(list), Stopped: stopText(stopped)}
		out.Sequences = append(out.Sequences, s)
		out.Tokens += len(list)
		out.Read += len(prompt)
	}
	out.Text = out.Sequences[0].Prompt + out.Sequences[0].Text
	out.PerSecond = math.Round(r.rate*10) / 10
	out.Digest = workload.Digest(words)
	return out
}

// stopText is why a sequence stopped, in words.
func stopText(stopped uint32) string {
	if s, ok := stops[stopped]; ok {
		return s
	}
	return fmt.Sprintf("unknown (%d)", stopped)
}
