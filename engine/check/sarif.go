package check

import (
	"encoding/json"
	"io"
)

// The parts of SARIF 2.1.0 (OASIS) that findings need.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID string `json:"id"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
		Count     int             `json:"occurrenceCount"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn"`
	}
)

// WriteSARIF writes findings for code hosts and editors, as SARIF 2.1.0.
func WriteSARIF(w io.Writer, d Document, version string) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "vyretop", Version: version}}, Invocations: []sarifInvocation{sarifRan(d)}, Results: []sarifResult{}}
	for _, k := range Kinds {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{string(k)})
	}
	for i := range d.Findings {
		f := &d.Findings[i]
		r := sarifResult{RuleID: string(f.Kind), Level: "error", Message: sarifText{f.Text + "; " + f.Access.What + " by " + doer(&f.Access)}, Count: f.Count, Locations: []sarifLocation{sarifPlace(f.Access.Stack[0], nil)}}
		if len(f.Other.Stack) > 0 {
			r.Related = []sarifLocation{sarifPlace(f.Other.Stack[0], &sarifText{"the other access, a " + f.Other.What + " by " + doer(&f.Other)})}
		}
		run.Results = append(run.Results, r)
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

// sarifRan says whether the run came to its end with a right result: a log without results does not.
func sarifRan(d Document) sarifInvocation {
	x := sarifInvocation{Successful: !d.CutShort && d.Verification == ""}
	if d.Incomplete != "" {
		x.Notifications = append(x.Notifications, sarifNotification{"warning", sarifText{d.Incomplete}})
	}
	if d.Verification != "" {
		x.Notifications = append(x.Notifications, sarifNotification{"error", sarifText{"verification failed: " + d.Verification}})
	}
	return x
}

func sarifPlace(f Frame, text *sarifText) sarifLocation {
	return sarifLocation{Physical: sarifPhysical{sarifArtifact{f.File}, sarifRegion{f.Line, f.Col}}, Message: text}
}
