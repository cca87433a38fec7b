package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"vyretop/engine"
	"vyretop/engine/fault"
	"vyretop/megakernel"
	"vyretop/megakernel/breakpoint"
	"vyretop/megakernel/live"
	"vyretop/megakernel/resident"
)

// typedErrors are those that commands and changes of settings are answered with.
var typedErrors = map[string]error{
	"option":     &fault.Error{Kind: resident.ErrOption, Subject: "lanes = 9", Detail: "the workgroup has 4", Fix: "use 1 to 4"},
	"setting":    &fault.Error{Kind: megakernel.ErrSetting, Subject: "aging=-1", Detail: "not possible", Fix: "use 0 to 9"},
	"breakpoint": &fault.Error{Kind: breakpoint.ErrCondition, Subject: "breakpoint", Detail: "it has no condition", Fix: "write one"},
	"pending":    &fault.Error{Kind: resident.ErrPending, Subject: "set breakpoint 3", Cause: context.DeadlineExceeded},
	"compiling":  &resident.CompilingError{What: "workgroup=16", After: 7, Err: context.DeadlineExceeded},
	"variant":    &fault.Error{Kind: resident.ErrVariant, Subject: "workgroup=16", Cause: &engine.Error{Code: engine.CodeKernelCompileFailed, Backend: "gl", Op: "compile", Log: "line 3", Fix: "mend it"}},
	"undo":       &fault.Error{Kind: resident.ErrUndo, Op: "undo", Subject: "aging=3", Detail: "it was overwritten since, now aging=4"},
	"draining":   &fault.Error{Kind: resident.ErrDraining, Op: "retune"},
	"stopped":    &fault.Error{Kind: resident.ErrStopped, Op: "pause all", Cause: &fault.Error{Kind: resident.ErrCutShort, Detail: "slice 3"}},
	"unanswered": &fault.Error{Kind: resident.ErrUnanswered, Op: "pause worker", Cause: context.DeadlineExceeded},
	"lost": &fault.Error{Kind: resident.ErrStopped, Op: "undo", Cause: &engine.Error{
		Code: engine.CodeDeviceLost, Backend: "gl", Op: "dispatch", Detail: "gone", Fix: "start again", Err: &engine.StopError{Reason: engine.ErrTimeout, Ended: 2, Total: 3},
	}},
	"compiler": &engine.Error{Code: engine.CodeKernelCompileFailed, Backend: "gl", Op: "compile", Log: "line 3", Fix: "mend it"},
}

// TestErrorsKeepTheirKindOverTheSocket: errors.As finds in what a client gets the error that the target had,
// whole, and errors.Is finds what it is.
func TestErrorsKeepTheirKindOverTheSocket(t *testing.T) {
	sentinels := []error{
		resident.ErrOption, resident.ErrUndo, resident.ErrStopped, resident.ErrDraining, resident.ErrCutShort, megakernel.ErrSetting, breakpoint.ErrCondition,
		engine.ErrDeviceLost, engine.ErrKernelCompileFailed, engine.ErrTimeout, context.DeadlineExceeded, context.Canceled,
	}
	r := newRun(t, Options{}, live.Options{})
	c := r.dial(DialOptions{Control: ControlAsk})
	for name, want := range typedErrors {
		for how, err := range map[string]error{"itself": want, "wrapped": fmt.Errorf("because: %w", want), "joined": errors.Join(errFake, want)} {
			t.Run(name+", "+how, func(t *testing.T) {
				r.session.err = err
				_, got := c.Undo(t.Context())
				var request *RequestError
				if !errors.As(got, &request) || got.Error() != err.Error() {
					t.Fatalf("the client gets %v", got)
				}
				into := reflect.New(reflect.TypeOf(want))
				if !errors.As(got, into.Interface()) {
					t.Fatalf("there is no %T in %v", want, got)
				}
				if back := into.Elem().Interface(); !reflect.DeepEqual(want, back) {
					t.Errorf("the target had %#v, the client %#v", want, back)
				}
				for _, s := range sentinels {
					if errors.Is(got, s) != errors.Is(err, s) {
						t.Errorf("is it %q? %v, and of the target %v", s, errors.Is(got, s), errors.Is(err, s))
					}
				}
			})
		}
	}
}

// TestFaultsOfStrangersAreErrors: whatever a target sends as a fault, there is an error with its text.
func TestFaultsOfStrangersAreErrors(t *testing.T) {
	deep := strings.Repeat(`{"text":"x","causes":[`, 200) + `{"text":"x"}` + strings.Repeat("]}", 200)
	for name, text := range map[string]string{
		"unknown kind":   `{"text":"x","kind":"magic","data":3}`,
		"wrong data":     `{"text":"x","kind":"option","data":[1]}`,
		"no data":        `{"text":"x","kind":"state"}`,
		"missing causes": `{"text":"x","kind":"unanswered","data":{}}`,
		"null causes":    `{"text":"x","causes":[null,{"text":"y"}]}`,
		"deep":           deep,
	} {
		t.Run(name, func(t *testing.T) {
			var f *wireFault
			if err := json.Unmarshal([]byte(text), &f); err != nil {
				t.Fatal(err)
			}
			err := f.unpack(0)
			if err == nil || errors.Is(err, resident.ErrStopped) {
				t.Errorf("it is the error %v", err)
			}
			if name != "missing causes" && err.Error() != "x" {
				t.Errorf("its text is %q", err)
			}
		})
	}
	if (*wireFault)(nil).unpack(0) != nil {
		t.Error("no fault is an error")
	}
}
