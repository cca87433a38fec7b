package infer

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/megakernel/workload"
)

// Driver is the value of "driver" in the manifest of a workload that this package supplies.
const Driver = "infer"

// modelFile and promptsFile are in the workload's folder.
const (
	modelFile   = "model.gguf"
	promptsFile = "prompts.txt"
)

// Definition is the Definition of a manifest with driver = "infer".
type Definition struct{ Manifest *workload.Manifest }

// Name implements workload.Definition.
func (d Definition) Name() string { return d.Manifest.Name }

// Title implements workload.Definition.
func (d Definition) Title() string { return d.Manifest.Title }

// Examples implements workload.Definition.
func (d Definition) Examples() []string { return d.Manifest.Examples }

// Options say what to write.
type Options struct {
	Model   string // file, or "" for the one in the workload's folder
	Prompt  string // that all sequences begin with, if Given
	Given   bool
	Prompts string // file with a prompt a line, or ""

	tokens    int // to write in each sequence, at most
	sequences int // 0: one for each prompt
	batch     int // sequences that share the weights that a task reads
	tile      int // rows of a task; 0: chosen
}

var numbers = []workload.Number[Options]{
	{Name: "tokens", Default: 64, Min: 1, Max: maxContext, Help: "maximum number of tokens to write in each sequence", Set: func(o *Options, n int) { o.tokens = n }},
	{Name: "sequences", Default: 0, Min: 0, Max: 1024, Help: "number of texts that are written at the same time; the prompts are used in turn (0: one for each prompt)", Set: func(o *Options, n int) { o.sequences = n }},
	{Name: "batch", Default: 4, Min: 1, Max: maxBatch, Help: "sequences that advance together, and share the weights that a task reads", Set: func(o *Options, n int) { o.batch = n }},
	{Name: "tile", Default: 0, Min: 0, Max: maxRows, Help: "rows of a matrix that a task multiplies (0: by the size of the matrix)", Set: func(o *Options, n int) { o.tile = n }},
}

// Flags implements workload.Definition.
func (d Definition) Flags() []workload.Flag {
	out := []workload.Flag{
		{Name: "model", Value: "FILE", Help: "the model, in GGUF (default: a small one that is shipped)"},
		{Name: "prompt", Value: "TEXT", Help: "beginning of the text (default: beginnings that the shipped model knows)"},
		{Name: "prompts", Value: "FILE", Help: "beginnings of texts, one a line"},
	}
	return append(out, workload.NumberFlags(numbers)...)
}

// New implements workload.Definition.
func (d Definition) New(values map[string]string) (workload.Workload, error) {
	o := Options{Model: values["model"], Prompts: values["prompts"]}
	o.Prompt, o.Given = values["prompt"]
	if err := workload.SetNumbers(&o, "infer", numbers, values, "model", "prompt", "prompts"); err != nil {
		return nil, err
	}
	if o.Given && o.Prompts != "" {
		return nil, workload.Failure(workload.ErrFlag, "--prompts", "a prompt is given with --prompt too", nil, "leave one of the two out")
	}
	return New(d.Manifest, o), nil
}

// Infer writes texts with one model. It implements workload.Workload.
type Infer struct {
	manifest *workload.Manifest
	opt      Options

	given *Model // instead of one that is read, in tests
	model *Model
	texts []string // prompts
	plan  *plan

	text  atomic.Pointer[engine.Words] // while it runs, and afterwards
	final []uint32                     // the same, once it has been read
	rate  float64                      // positions a second, from the first one on

	shared *shared // where several hosts write the texts, of which text has the complete ones; nil for one
}

// New makes an inference. The manifest names buffers and handler.
func New(m *workload.Manifest, o Options) *Infer { return &Infer{manifest: m, opt: o} }

// Setup implements workload.Workload.
func (r *Infer) Setup(context.Context) (*workload.Setup, error) {
	if err := r.load(); err != nil {
		return nil, err
	}
	prompts, err := r.prompts()
	if err != nil {
		return nil, err
	}
	r.plan = newPlan(r.model, prompts, r.opt.tokens, r.batch(len(prompts)), r.opt.tile)
	r.divide()
	setup, err := r.manifest.Setup(nil)
	if err != nil {
		return nil, err
	}
	return setup, r.plan.fill(setup, r.manifest.File())
}

// AdaptHandlers implements workload.Adapter.
func (r *Infer) AdaptHandlers(s *workload.Setup) { r.plan.adapt(s) }

func (r *Infer) load() (err error) {
	switch {
	case r.given != nil:
		r.model = r.given
	case r.opt.Model != "":
		r.model, err = Load(r.opt.Model)
	default:
		var data []byte
		if data, err = r.manifest.ReadFile(modelFile); err == nil {
			r.model, err = parse(modelFile, data)
		}
	}
	return err
}

// prompts are the tokens that each sequence begins with, at least one.
func (r *Infer) prompts() (list [][]int, err error) {
	if r.texts, err = r.beginnings(); err != nil {
		return nil, err
	}
	n := r.opt.sequences
	if n == 0 {
		n = len(r.texts)
	}
	for i, text := range r.texts {
		tokens, err := r.model.tokens.Encode(text)
		if err != nil {
			return nil, &fault.Error{Kind: workload.ErrInput, Subject: "prompt " + strconv.Itoa(i+1), Cause: err}
		}
		if len(tokens) == 0 {
			if r.model.tokens.End < 0 {
				return nil, workload.Failure(workload.ErrInput, "--prompt", "it is empty, and the model has no token that begins a text", nil, "give a text to begin with")
			}
			tokens = []int{r.model.tokens.End}
		}
		if len(tokens) > r.model.context {
			return nil, workload.Failure(workload.ErrInput, "prompt "+strconv.Itoa(i+1), fmt.Sprintf("it has %d tokens, and the model's context has %d", len(tokens), r.model.context), nil, "use a shorter prompt")
		}
		list = append(list, tokens)
	}
	texts, tokens := make([]string, n), make([][]int, n)
	for i := range n {
		texts[i], tokens[i] = r.texts[i%len(r.texts)], list[i%len(list)]
	}
	r.texts = texts
	return tokens, nil
}

// beginnings are the texts to begin with.
func (r *Infer) beginnings() ([]string, error) {
	if r.opt.Given {
		return []string{r.opt.Prompt}, nil
	}
	var data []byte
	var err error
	switch {
	case r.opt.Prompts != "":
		if data, err = plainfile.Read(r.opt.Prompts, 1<<20); err != nil {
			return nil, workload.Failure(workload.ErrInput, r.opt.Prompts, "the prompts cannot be read", err, plainfile.Fix(err))
		}
	case r.opt.Model != "" || r.given != nil:
		return []string{""}, nil
	default:
		if data, err = r.manifest.ReadFile(promptsFile); err != nil {
			return nil, err
		}
	}
	list := strings.Split(strings.TrimRight(string(data), "\r\n"), "\n")
	if len(list) > 1024 {
		return nil, workload.Failure(workload.ErrInput, r.opt.Prompts, fmt.Sprintf("it has %d lines, at most 1024 are used", len(list)), nil, "split the file")
	}
	for i, l := range list {
		list[i] = strings.TrimRight(l, "\r")
	}
	return list, nil
}
