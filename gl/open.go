//go:build cgo && egl

package gl

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"vyretop/engine"
	"vyretop/engine/stage"
	"vyretop/gl/egl"
	"vyretop/gl/internal/glapi"
	"vyretop/gl/internal/owner"
)

// opened counts the backends of the process, for their IDs.
var opened atomic.Int64

// fixPackages says what a machine without OpenGL 4.5 needs.
const fixPackages = "install the vendor's driver with its EGL part, or `apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri` for software OpenGL; `vyretop doctor` shows every device"

// Open makes a context on a device, reads its limits and probes it. With AutoDevice the first device
// that offers OpenGL 4.5 is taken. ctx bounds the probes; probing takes below 0.3 s on llvmpipe. The
// error is an engine.ErrUnsupportedFeature when no such device exists, and then names what was found.
func Open(ctx context.Context, o Options) (*Backend, error) {
	switch o.Context {
	case "", ContextEGL:
		return openEGL(ctx, o)
	case ContextGLFW:
		return openWith(ctx, o, opening{label: "glfw", open: func() (surface, error) { return openWindow(o.Debug) }})
	default:
		return nil, invalid(fmt.Sprintf("open a context of kind %q", o.Context), "unknown kind", "use egl or glfw")
	}
}

func openEGL(ctx context.Context, o Options) (*Backend, error) {
	devices, infos, err := candidates(o.Device)
	if err != nil {
		return nil, err
	}
	var tried []error
	for i, d := range devices {
		b, err := openWith(ctx, o, opening{infos[i].Label(), infos[i].Software, infos[i].DRMNode, func() (surface, error) { return openDevice(d, o.Debug) }})
		if err == nil {
			return b, nil
		}
		tried = append(tried, fmt.Errorf("%s: %w", infos[i].Label(), err))
		if ctx.Err() != nil {
			break
		}
	}
	if len(tried) == 1 {
		return nil, tried[0]
	}
	e := unsupported("open a device", "OpenGL 4.5", fmt.Sprintf("none of %d devices can be used", len(tried)), fixPackages)
	e.Err = errors.Join(tried...)
	return nil, e
}

// openDevice makes an EGL context current and checks its version, on the owner's thread. A device
// without OpenGL 4.5 is asked for any version, so that the error can tell what it has.
func openDevice(d egl.Device, debug bool) (surface, error) {
	c, err := egl.Open(d, egl.Config{Debug: debug})
	if err == nil {
		return checked(c, nil)
	}
	if old, oldErr := egl.Open(d, egl.Config{AnyVersion: true}); oldErr == nil {
		return checked(old, err)
	}
	return nil, noOpenGL(err)
}

// checked loads the entry points and refuses a context below OpenGL 4.5, with the reason why a better
// one could not be had. The version decides and not the entry points: the loader returns non-nil
// stubs for names that it does not know.
func checked(c surface, reason error) (surface, error) {
	err := glapi.Load(egl.ProcAddress)
	if err == nil {
		var api glapi.API
		major, minor := api.Integer(glapi.MajorVersion), api.Integer(glapi.MinorVersion)
		if major > 4 || major == 4 && minor >= 5 {
			return c, nil
		}
		id := api.Identification()
		err = fmt.Errorf("found OpenGL %s on %s", id.Version, id.Renderer)
	}
	return nil, noOpenGL(errors.Join(err, reason, c.Close()))
}

func noOpenGL(cause error) error {
	e := unsupported("open a context", "OpenGL 4.5", "the device offers no OpenGL 4.5 core context without a display", fixPackages)
	e.Err = cause
	return e
}

// opening is a way to a context.
type opening struct {
	label    string // of the device, for people
	software bool   // the device says that it has no hardware; others are timed
	node     string // of the device below /dev, "" where it has none
	open     func() (surface, error)
}

// openWith starts the owner's thread with a context on it and fills in the profile.
func openWith(ctx context.Context, o Options, way opening) (*Backend, error) {
	b := &Backend{
		id:          fmt.Sprintf("%s#%d", backendName, opened.Add(1)),
		apart:       o.Apart,
		buffers:     map[*buffer]struct{}{},
		pipelines:   map[*pipeline]struct{}{},
		controls:    spares{name: "control", words: stage.ControlWords, class: engine.HostVisible},
		tickets:     spares{name: "tickets", words: stage.TicketWords, class: engine.DeviceLocal},
		outstanding: map[*pending]struct{}{},
		staging:     make(chan *buffer, 1),
		precompiler: precompiler{aside: make(chan struct{}, 1), behind: make(chan struct{}, 1)},
	}
	b.staging <- nil
	if way.software {
		b.profile.SoftwareDevice = engine.Known(true)
	}
	b.gl = &glState{open: way.open, debug: o.Debug, messages: &b.messages}
	b.gl.compiler = &b.gl.api
	var err error
	if b.owner, err = owner.Start(b.gl); err != nil {
		return nil, typed("open "+way.label, err)
	}
	err = b.do(ctx, "read the limits", func(s *glState) error {
		b.identify(s, way.label)
		s.programs.connect(&s.api, ProgramCacheDir(o.ProgramCache))
		if err := b.readLimits(s); err != nil {
			return err
		}
		b.identifyHardware(s, way)
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	if o.SkipProbes {
		b.profile.BufferPlacement = b.placements()
		return b, nil
	}
	b.probe(ctx)
	if ctx.Err() != nil {
		return nil, errors.Join(typed("probe "+way.label, context.Cause(ctx)), b.Close())
	}
	return b, nil
}
