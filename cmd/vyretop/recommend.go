package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"vyretop/engine/plainfile"
	"vyretop/megakernel/inspect"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/recommend"
)

// maxInputBytes bounds the files of a question.
const maxInputBytes = 1 << 20

// recommendFlags are the flags of `vyretop recommend`.
type recommendFlags struct {
	request   policy.Request // members given as flags
	file      string
	recording string
	live      string
	at        time.Duration
	windows   []uint // opcodes
	policy    string
	previous  string
	whatIf    []string
	json      bool
}

// memberFlag declares the flag for a member of a request.
func memberFlag(flags *pflag.FlagSet, m *policy.Member, to *policy.Request) {
	switch p := m.Field(to).(type) {
	case *uint16:
		flags.Uint16Var(p, m.Flag(), *p, m.Usage)
	case *uint32:
		flags.Uint32Var(p, m.Flag(), *p, m.Usage)
	case *uint64:
		flags.Uint64Var(p, m.Flag(), *p, m.Usage)
	}
}

func newRecommend(a *app, _ []string) *cobra.Command {
	f := &recommendFlags{request: policy.Request{Limits: policy.MinimumLimits}}
	c := &cobra.Command{
		Use:   "recommend",
		Short: "Recommend a launch shape for a queue and explain it; needs no GPU",
		Long: "recommend applies the launch policy to a request: members given as flags override those of --request,\n" +
			"--recording or --live. It prints the launch and every rule that fired, with its input, its threshold and the margin.",
		Args: arguments(0, 0, ""),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.Context(), a, c.Flags()) },
	}
	for i := range policy.Members {
		memberFlag(c.Flags(), &policy.Members[i], &f.request)
	}
	c.Flags().StringVar(&f.file, "request", "", "file with the request as a JSON object; - for stdin")
	c.Flags().StringVar(&f.recording, "recording", "", "recording to take the request from")
	c.Flags().StringVar(&f.live, "live", "", "name of a live run to take the request from")
	positionVar(c.Flags(), &f.at, "at", "position in the recording (default: end)")
	c.Flags().UintSliceVar(&f.windows, "window-opcodes", nil, "opcodes whose tasks form windows, by the ticket in their first argument (with --recording or --live; windows of 4 or more tasks are hot)")
	c.Flags().StringVar(&f.policy, "policy", "", "TOML file that overrides numbers of the policy")
	c.Flags().StringVar(&f.previous, "previous-topology", "", "topology of the previous launch, for hysteresis")
	c.Flags().StringArrayVar(&f.whatIf, "what-if", nil, "compare with a request that differs in one member: MEMBER=VALUE (repeatable)")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON document")
	return c
}

func (f *recommendFlags) run(ctx context.Context, a *app, flags *pflag.FlagSet) error {
	q, err := f.question(ctx, a, flags)
	if err != nil {
		return err
	}
	if len(f.whatIf) > 0 {
		return f.compareWith(a, q)
	}
	d, noAnswer := q.Answer()
	write := recommend.WriteText
	if f.json {
		write = func(w io.Writer, d *recommend.Document) error { return writeJSON(w, d) }
	}
	return errors.Join(noAnswer, write(a.stdout, d))
}

// compareWith compares the recommendation with that for other inputs.
func (f *recommendFlags) compareWith(a *app, q *recommend.Question) error {
	other, err := changedRequest(q.Request, f.whatIf)
	if err != nil {
		return err
	}
	d, noAnswer := q.WhatIf(&other)
	if f.json {
		return errors.Join(noAnswer, writeJSON(a.stdout, d))
	}
	return errors.Join(noAnswer, recommend.WriteWhatIf(a.stdout, d))
}

// changedRequest sets members of a request, which are named as flags are or as in JSON.
func changedRequest(r policy.Request, changes []string) (policy.Request, error) {
	for _, c := range changes {
		i, value, err := policy.ParseChange(c)
		if err != nil {
			return r, fmt.Errorf("--what-if: %w", err)
		}
		policy.Members[i].Set(&r, value)
	}
	return r, nil
}

// question collects what is asked; flags count most.
func (f *recommendFlags) question(ctx context.Context, a *app, flags *pflag.FlagSet) (*recommend.Question, error) {
	q := &recommend.Question{Request: policy.Request{Limits: policy.MinimumLimits}, Policy: policy.StandardPolicy()}
	windows, err := f.windowOpcodes()
	if err != nil {
		return nil, err
	}
	switch {
	case f.file != "" && f.recording != "", f.live != "" && f.file+f.recording != "":
		return nil, usage("--request, --recording and --live exclude each other", "give one of them")
	case flags.Changed("at") && f.recording == "":
		return nil, usage("--at needs a recording", "add --recording FILE")
	case flags.Changed("window-opcodes") && f.recording+f.live == "":
		return nil, usage("--window-opcodes needs a recording or a live run", "add --recording FILE or --live NAME; --hot-window-count sets the number")
	case f.file != "":
		q.Request, err = a.readRequest(f.file, &q.Request)
	case f.recording != "":
		q.Request, err = f.recordedRequest(windows, flags.Changed("at"))
	case f.live != "":
		q.Request, err = a.liveRequest(ctx, f.live, windows)
	}
	if err != nil {
		return nil, err
	}
	for i := range policy.Members {
		if m := &policy.Members[i]; flags.Changed(m.Flag()) {
			m.Set(&q.Request, m.Get(&f.request))
		}
	}
	if err := q.Previous.UnmarshalText([]byte(f.previous)); err != nil {
		return nil, err
	}
	if f.policy != "" {
		text, err := plainfile.Read(f.policy, maxInputBytes)
		if err != nil {
			return nil, plainfile.Failure("read the policy", f.policy, err, "name a readable TOML file")
		}
		if q.Policy, err = policy.ParsePolicy(text); err != nil {
			return nil, fmt.Errorf("%s: %w", f.policy, err)
		}
	}
	return q, nil
}

func (a *app) readRequest(name string, base *policy.Request) (policy.Request, error) {
	var text []byte
	var err error
	if name == "-" {
		text, err = io.ReadAll(io.LimitReader(a.stdin, maxInputBytes))
	} else {
		text, err = plainfile.Read(name, maxInputBytes)
	}
	if err != nil {
		return policy.Request{}, plainfile.Failure("read the request", name, err, "name a readable JSON file")
	}
	return recommend.ReadRequest(name, text, base)
}

// liveRequest makes a request from two snapshots of a live run.
func (a *app) liveRequest(ctx context.Context, name string, windows []uint32) (r policy.Request, err error) {
	s, err := a.openSubject(ctx, name, &lookFlags{}, true)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	const window = 500 * time.Millisecond
	now, before, err := s.Pair(ctx, window)
	if err != nil {
		return r, err
	}
	return recommend.FromSnapshots(s.Header().Profile, now, before, windows)
}

// recordedRequest makes a request from a recording at a time, or at its end.
func (f *recommendFlags) recordedRequest(windows []uint32, given bool) (r policy.Request, err error) {
	rec, err := inspect.OpenRecording(f.recording)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, rec.Close()) }()
	at := f.at
	if !given {
		_, at = rec.Span()
	}
	return recommend.FromRecording(rec.Header().Profile, rec, at, windows)
}

// windowOpcodes are the opcodes of --window-opcodes.
func (f *recommendFlags) windowOpcodes() ([]uint32, error) {
	out := make([]uint32, len(f.windows))
	for i, op := range f.windows {
		if out[i] = uint32(op); uint(out[i]) != op {
			return nil, usage(fmt.Sprintf("invalid --window-opcodes %d: an opcode has 32 bits", op), "use the opcodes that vyretop tasks shows")
		}
	}
	return out, nil
}
