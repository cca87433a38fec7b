package vectors

import (
	"vyretop/engine"
	"vyretop/engine/speculate"
)

type sideIn struct {
	PlainCount uint32 `json:"baseline_dispatches"`
	PlainMean  uint64 `json:"baseline_mean_ns"`
	FusedCount uint32 `json:"speculative_dispatches"`
	FusedMean  uint64 `json:"speculative_mean_ns"`
	Compile    uint64 `json:"side_compile_cost_ns"`
}

type updateOut struct {
	Winner  string `json:"winner"`
	Saved   uint64 `json:"saved_ns"`
	Verdict string `json:"verdict"`
	sideIn
}

var winners = map[bool]string{true: "Speculative", false: "Conservative"}

func speculationWindow(in struct {
	Samples [][4]uint64 `json:"samples"`
}) (any, error) {
	var w speculate.Window
	updates := []updateOut{}
	for _, v := range in.Samples {
		s := speculate.Sample{Plain: v[0], Speculative: v[1], PlainExtra: v[2], Compile: v[3]}
		w.Add(&s)
		fused, saved := s.Winner()
		plain, speculative, compile := w.Sides()
		updates = append(updates, updateOut{winners[fused], saved, w.Verdict().String(), sideIn{plain.Dispatches, plain.Mean, speculative.Dispatches, speculative.Mean, compile}})
	}
	plain, speculative := w.Wins()
	records := min(plain, 1) + min(speculative, 1) // the peer keeps one for each way that ever won
	return map[string]any{"updates": updates, "len": len(updates), "is_empty": len(updates) == 0, "store_records": records}, nil
}

type speculatorStep struct {
	Rate       uint32 `json:"commit_rate_ppm"`
	Samples    uint32 `json:"samples"`
	On         bool   `json:"should_speculate"`
	ReportPpm  uint32 `json:"report_ppm"`
	ReportPct  uint32 `json:"report_pct"`
	Worthwhile bool   `json:"worthwhile"`
}

func adaptive(in struct {
	Threshold uint32      `json:"threshold_pct"`
	Reports   [][2]uint32 `json:"reports"`
}) (any, error) {
	a := speculate.NewAdaptive(in.Threshold)
	steps := []speculatorStep{}
	for _, v := range in.Reports {
		r := speculate.Report{Committed: v[0], RolledBack: v[1]}
		a.Add(r)
		steps = append(steps, speculatorStep{a.Rate(), a.Samples(), a.On(), r.Ppm(), r.Ppm() / 10_000, r.Worthwhile(in.Threshold)})
	}
	return map[string]any{"threshold_ppm": a.Threshold(), "steps": steps}, nil
}

func fixpoint(in struct {
	Iterations *uint32 `json:"fixpoint_iterations"`
	Backend    string  `json:"backend"`
}) (any, error) {
	cfg := engine.DispatchConfig{Grid: [3]uint32{1, 1, 1}}
	if in.Iterations != nil {
		cfg.FixpointIterations = engine.Known(*in.Iterations)
	}
	one := [3]uint32{1, 1, 1}
	limits := engine.Limits{Backend: in.Backend, MaxWorkgroups: one, MaxWorkgroupSize: one, MaxInvocations: 1}
	launch, err := limits.Admit(&engine.Program{Name: "fixpoint", WorkgroupSize: one}, nil, &cfg)
	return single{launch.Runs}, err
}

var _ = register("driver", map[string]operation{
	"constants": op(func(none) (any, error) {
		return map[string]int{
			"min_dispatches_for_verdict": speculate.MinDispatches, "min_adopt_savings_bps": speculate.MinSavingsBps,
			"default_threshold_pct": speculate.DefaultThresholdPct, "counter_tail_bytes": speculate.ReportBytes,
		}, nil
	}),
	"decide_speculation": op(func(in sideIn) (any, error) {
		v := speculate.Decide(speculate.Side{Dispatches: in.PlainCount, Mean: in.PlainMean}, speculate.Side{Dispatches: in.FusedCount, Mean: in.FusedMean}, in.Compile)
		return map[string]string{"verdict": v.String()}, nil
	}),
	"speculation_window":  op(speculationWindow),
	"adaptive_speculator": op(adaptive),
	"parse_counter_tail": op(func(in struct{ Hex hexBytes }) (any, error) {
		r, ok := speculate.ParseReport(in.Hex)
		if !ok {
			return map[string]any{"found": false}, nil
		}
		return map[string]any{"found": true, "committed_tiles": r.Committed, "rolled_back_tiles": r.RolledBack}, nil
	}),
	"resolve_fixpoint_iterations": op(fixpoint),
	"decide_persistent_kernel": op(func(in struct {
		Batch     uint32 `json:"batch_size"`
		PerLaunch uint64 `json:"per_launch_overhead_ns"`
		PerItem   uint64 `json:"per_item_kernel_ns"`
		Setup     uint64 `json:"persistent_setup_overhead_ns"`
	}) (any, error) {
		persistent, saved := speculate.Persistent(in.Batch, in.PerLaunch, in.Setup)
		if !persistent {
			return map[string]any{"decision": "StandardLaunches"}, nil
		}
		return map[string]any{"decision": "PersistentKernel", "savings_ns": saved}, nil
	}),
})
