//go:build cgo && egl

package gl

import (
	"errors"
	"strings"

	"vyretop/engine"
	"vyretop/gl/internal/glapi"
)

// profileChecked asks OpenGL for an error after each call of a dispatch, and names the call that failed.
const profileChecked = "checked"

// readLimits reads everything that a query tells into the backend and its profile, on the owner's
// thread.
func (b *Backend) readLimits(s *glState) error {
	a := &s.api
	extensions := a.Extensions()
	b.has = map[string]bool{}
	for _, e := range extensions {
		b.has[e] = true
	}
	s.timer = a.HasTimer()
	b.limits = limits{
		Limits: engine.Limits{
			Backend:          backendName,
			MaxWorkgroups:    a.Integer3(glapi.MaxWorkgroupCount),
			MaxWorkgroupSize: a.Integer3(glapi.MaxWorkgroupSize),
			MaxInvocations:   uint32(a.Integer(glapi.MaxInvocations)),
			Profiles:         []string{profileChecked},
		},
		bindings:    uint32(a.Integer(glapi.MaxStorageBindings)),
		blocks:      uint32(a.Integer(glapi.MaxComputeStorage)),
		bufferBytes: uint64(a.Integer(glapi.MaxStorageBytes)),
	}
	p := &b.profile
	p.Extensions = extensions
	p.DispatchProfiles = b.limits.KnownProfiles()
	p.MaxWorkgroups = known(b.limits.MaxWorkgroups)
	p.MaxWorkgroupSize = known(b.limits.MaxWorkgroupSize)
	p.MaxInvocations = known(b.limits.MaxInvocations)
	p.MaxStorageBufferBytes = known(b.limits.bufferBytes)
	p.MaxStorageBufferBindings = known(min(b.limits.bindings, b.limits.blocks))
	p.MaxSharedBytes = known(uint32(a.Integer(glapi.MaxSharedBytes)))
	p.PersistentMapping = engine.Known(true) // core since OpenGL 4.4
	if err := a.Err("glGetInteger64v"); err != nil {
		return typed("read the limits", err)
	}
	if a.Integer(glapi.ResetStrategy) != glapi.LoseContextOnReset {
		s.messages.add(Message{Source: "window system", Severity: "low",
			Text: "the driver does not report resets of the device: a lost device may show as a dispatch that never ends"})
	}
	b.readVendorState(a)
	if err := a.Err("glGetInteger64v of an extension's state"); err != nil {
		s.messages.add(Message{Source: "probe", Severity: "low", Text: err.Error()})
	}
	return nil
}

// readVendorState asks for what only extensions tell; absent extensions leave the values absent.
func (b *Backend) readVendorState(a *glapi.API) {
	p := &b.profile
	switch {
	case b.has["GL_KHR_shader_subgroup"]:
		p.SubgroupSize = known(uint32(a.Integer(glapi.SubgroupSize)))
	case b.has["GL_NV_shader_thread_group"]:
		p.SubgroupSize = known(uint32(a.Integer(glapi.WarpSizeNV)))
	}
	if b.has["GL_NV_shader_thread_group"] {
		p.ComputeUnits = known(uint32(a.Integer(glapi.SMCountNV)))
	}
	if b.has["GL_NVX_gpu_memory_info"] {
		p.DeviceMemoryBytes = known(uint64(a.Integer(glapi.DedicatedMemoryNVX)) << 10)
	}
}

// available reads how many bytes the device has left; 0 where it does not tell.
func (b *Backend) available(s *glState) uint64 {
	if !b.has["GL_NVX_gpu_memory_info"] {
		return 0
	}
	return uint64(s.api.Integer(glapi.CurrentAvailableNVX)) << 10
}

// outOfMemory completes an out-of-memory error with what was asked for and what is left, in bytes.
func outOfMemory(err error, requested, left uint64) error {
	e, ok := errors.AsType[*engine.Error](err)
	if !ok || e.Code != engine.CodeDeviceOutOfMemory {
		return err
	}
	e.Requested, e.Available = requested, left
	return e
}

// identify fills in who the device is.
func (b *Backend) identify(s *glState, label string) {
	id := s.api.Identification()
	b.profile.Identity = engine.Identity{
		ID: b.id, Name: backendName, Version: "OpenGL " + id.Version,
		Device: label, Renderer: id.Renderer, Driver: driverOf(id),
	}
}

// driverOf takes the driver's part out of a version string such as "4.6.0 NVIDIA 580.95.05" or
// "4.5 (Core Profile) Mesa 22.3.6"; a string that has no such part is returned whole, behind the
// vendor's name.
func driverOf(id glapi.Strings) string {
	_, rest, _ := strings.Cut(id.Version, " ")
	rest = strings.TrimPrefix(rest, "(Core Profile) ")
	if rest == "" {
		return id.Vendor + " " + id.Version
	}
	return rest
}
