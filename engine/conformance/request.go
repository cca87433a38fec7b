package conformance

// request asks for one case.
type request struct {
	Case *Case `json:"case"`
}

// reply says what came of it. Error is set when the case could not be compared; Case then says that
// the case is to blame.
type reply struct {
	Difference *Difference `json:"difference,omitempty"`
	Error      string      `json:"error,omitempty"`
	Case       bool        `json:"case,omitempty"`
}
