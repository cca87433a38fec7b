package pane

import (
	"slices"
	"strings"
	"testing"

	"vyretop/megakernel"
	"vyretop/megakernel/policy"
	"vyretop/megakernel/recommend"
	"vyretop/tasks"
)

// TestAdviceHasTheSignOfTheTerminal: without Unicode, recommended shapes were written with a multiplication sign.
func TestAdviceHasTheSignOfTheTerminal(t *testing.T) {
	a := recommend.Advice{Shape: megakernel.Shape{Workers: 2, Lanes: 8}, Gain: 1.8, Confidence: recommend.Measured, Reason: "measured"}
	short, note := AdviceTexts(&a, megakernel.Shape{Workers: 1, Lanes: 8}, 'x')
	if short != "2x8 +80%" || !strings.Contains(note, "recommended 2x8 +80%") {
		t.Errorf("%q, %q", short, note)
	}
}

// TestTheRingIsNoGraph: view 7 gave the slots of the ring as graph_node_count, and its queue as edges, for workloads without a graph.
func TestTheRingIsNoGraph(t *testing.T) {
	v := NewLaunch(frameWithTasks(tasks.Ready, tasks.Running, tasks.Yielded), &LaunchState{})
	if n := v.Value(0); n == 0 {
		t.Error("no task is queued")
	}
	for i, in := range policy.Members {
		switch in.Name {
		case "graph_node_count", "graph_edge_count", "frontier_density_bps":
			if n := v.Value(i); n != 0 {
				t.Errorf("%s is %d, want 0: unknown", in.Name, n)
			}
		}
	}
}

// TestTheLaunchViewHasTheGraphOfTheWorkload: a workload that searches a graph tells of it.
func TestTheLaunchViewHasTheGraphOfTheWorkload(t *testing.T) {
	f := frameWithTasks(tasks.Ready)
	f.Snap.Progress.Graph = megakernel.Graph{Nodes: 2000, Edges: 70000, Frontier: 1, Widest: 900}
	v := NewLaunch(f, &LaunchState{})
	for name, want := range map[string]uint64{"graph_node_count": 2000, "graph_edge_count": 70000, "frontier_density_bps": 4500} {
		i := slices.Index(policy.MemberNames(), name)
		if got := v.Value(i); got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
	if v.Then.Topology != policy.DenseFrontier {
		t.Errorf("the policy takes it for %v", v.Then.Topology)
	}
}

// TestTheSelectedInputIsShown: where the inputs need more rows than there are, the selected one is among those that are drawn.
func TestTheSelectedInputIsShown(t *testing.T) {
	for rows := 1; rows < 20; rows++ {
		for selected := range policy.Members {
			s := LaunchState{Selected: selected}
			if top := s.topInput(rows); top < 0 || top > selected || selected >= top+rows {
				t.Errorf("input %d in %d rows from %d on", selected, rows, top)
			}
		}
	}
}
