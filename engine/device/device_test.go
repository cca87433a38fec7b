package device

import (
	"context"
	"errors"
	"testing"

	"vyretop/engine"
	"vyretop/engine/reference"
	"vyretop/gl"
)

// fake is a backend that only has a name.
type fake struct {
	engine.Backend
	name string
}

// openers gives a gl that fails with err, or opens where err is nil, and notes what it was asked.
func openers(err error, askedGL *gl.Options, askedReference *reference.Options) Openers {
	return Openers{
		GL: func(_ context.Context, o gl.Options) (engine.Backend, error) {
			*askedGL = o
			if err != nil {
				return nil, err
			}
			return fake{name: OpenGL}, nil
		},
		Reference: func(o reference.Options) (engine.Backend, error) {
			*askedReference = o
			return fake{name: Reference}, nil
		},
	}
}

func TestOpen(t *testing.T) {
	broken := &engine.Error{Code: engine.CodeUnsupportedFeature, Backend: "gl", Op: "open", Detail: "no driver", Log: "a log\nof lines", Fix: "install one"}
	const notice = "OpenGL cannot be used, running on the reference backend: gl: open: unsupported feature: no driver"
	tests := []struct {
		name         string
		choice       Choice
		gl           error
		want, notice string
	}{
		{"auto with a device", Choice{Backend: Auto, Device: AutoDevice}, nil, OpenGL, ""},
		{"auto without one says why", Choice{Backend: Auto, Device: 3}, broken, Reference, notice},
		{"gl with a device", Choice{Backend: OpenGL, Device: 1}, nil, OpenGL, ""},
		{"gl, nothing kept", Choice{Backend: OpenGL, Device: 1, Fresh: true}, nil, OpenGL, ""},
		{"gl without one fails", Choice{Backend: OpenGL, Device: 1}, broken, "", ""},
		{"reference", Choice{Backend: Reference, Device: AutoDevice, Seed: 7}, broken, Reference, ""},
		{"reference with many workers", Choice{Backend: Reference, Device: AutoDevice, Workers: 100}, broken, Reference, ""},
		{"auto with many workers", Choice{Backend: Auto, Device: AutoDevice, Workers: 100}, broken, Reference, notice},
		{"reference, its only device", Choice{Backend: Reference, Device: 0}, nil, Reference, ""},
		{"reference, another device", Choice{Backend: Reference, Device: 1}, nil, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var askedGL gl.Options
			var askedReference reference.Options
			b, notice, err := openers(tt.gl, &askedGL, &askedReference).Open(context.Background(), tt.choice)
			if tt.want == "" {
				if b != nil || !errors.Is(err, ErrUnavailable) {
					t.Fatalf("opened %v, error %v", b, err)
				}
				return
			}
			if err != nil || b.(fake).name != tt.want || notice != tt.notice {
				t.Errorf("opened %v, %q, %v; want %s, %q", b, notice, err, tt.want, tt.notice)
			}
			if tt.want == OpenGL && (askedGL.Device != tt.choice.Device || tt.choice.Fresh != (askedGL.ProgramCache == gl.NoProgramCache)) {
				t.Errorf("asked gl for %+v", askedGL)
			}
			if tt.want == Reference && (askedReference.Seed != tt.choice.Seed || askedReference.Resident < max(2, tt.choice.Workers)) {
				t.Errorf("asked reference for %+v", askedReference)
			}
		})
	}
}

func TestErrorsOfABackendKeepTheirCause(t *testing.T) {
	var a gl.Options
	var b reference.Options
	_, _, err := openers(&engine.Error{Code: engine.CodeDeviceLost}, &a, &b).Open(context.Background(), Choice{Backend: OpenGL})
	if !errors.Is(err, ErrUnavailable) || !errors.Is(err, engine.ErrDeviceLost) {
		t.Errorf("error is %v", err)
	}
}

// TestACanceledStartDoesNotFallBack: a user who stops the program while a device is opened does not
// want another one.
func TestACanceledStartDoesNotFallBack(t *testing.T) {
	var a gl.Options
	var b reference.Options
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if got, _, err := openers(ctx.Err(), &a, &b).Open(ctx, Choice{Backend: Auto}); got != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("opened %v, %v", got, err)
	}
}

func TestTheRealReferenceOpens(t *testing.T) {
	b, _, err := Openers{}.Open(context.Background(), Choice{Backend: Reference, Device: AutoDevice})
	if err != nil {
		t.Fatal(err)
	}
	if b.Identity().Name != Reference {
		t.Errorf("opened %+v", b.Identity())
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}
