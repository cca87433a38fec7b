//go:build cgo && egl

package gl

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"vyretop/engine"
	"vyretop/gl/egl"
	"vyretop/gl/nvml"
)

// identifyHardware adds how management libraries name the device, and what they and the kernel of the operating
// system tell of it. The extensions must have been read.
func (b *Backend) identifyHardware(s *glState, way opening) {
	p := &b.profile
	if way.software {
		p.L1Bytes, p.L2Bytes = engine.HostCaches(os.DirFS("/sys"))
		return
	}
	p.Identity.PCI = pciAddress(way.node)
	if b.has["GL_EXT_memory_object"] {
		p.Identity.UUID = s.api.DeviceUUID(egl.ProcAddress)
	}
	p.DispatchTimeLimitMs = watchdogLimit(os.DirFS("/sys"), way.node)
	if strings.Contains(p.Identity.Driver, "NVIDIA") || strings.Contains(p.Identity.Renderer, "NVIDIA") {
		if major, minor, ok := nvml.ComputeCapability(p.Identity); ok {
			describeNVIDIA(&p.Microarchitecture, major, minor)
		}
	}
}

// describeNVIDIA fills in what NVIDIA documents for a compute capability. Nothing is said of those before 3.5, which
// have no driver for OpenGL 4.5.
//
// Source: CUDA C++ Programming Guide, technical specifications per compute capability; Volta tuning guide 1.4.1 (no
// second instruction is issued from 7.0 on).
func describeNVIDIA(m *engine.Microarchitecture, major, minor int) {
	if major < 3 || major == 3 && minor < 5 {
		return
	}
	m.SharedBanks, m.RegistersPerThread = engine.Known(uint32(32)), engine.Known(uint32(255))
	m.NativeIntBits, m.DualIssue = engine.Known(uint32(32)), engine.Known(major < 7)
}

// pciAddress is the address of the device behind a node such as /dev/dri/card0, or "".
func pciAddress(node string) string {
	target, err := os.Readlink(filepath.Join("/sys/class/drm", filepath.Base(node), "device"))
	if node == "" || err != nil || !pciForm.MatchString(filepath.Base(target)) {
		return ""
	}
	return filepath.Base(target)
}

var pciForm = regexp.MustCompile(`^[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]$`)

// watchdogLimit is the time after which the amdgpu driver resets a device that does not answer, where its parameter
// says so: in milliseconds for all queues, or for graphics, compute and others in this order. OpenGL's compute work
// goes to the graphics queue. Other drivers do not tell.
//
// Source: Linux kernel documentation, amdgpu module parameters, lockup_timeout.
func watchdogLimit(sys fs.FS, node string) (limit engine.Optional[float64]) {
	if node == "" || !strings.Contains(deviceDriver(sys, node), "amdgpu") {
		return limit
	}
	text, err := fs.ReadFile(sys, "module/amdgpu/parameters/lockup_timeout")
	if err != nil {
		return limit
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(text)), ",")
	ms, err := strconv.Atoi(first)
	if err != nil || ms <= 0 { // the default of the driver, or none
		return limit
	}
	return engine.Known(float64(ms))
}

// deviceDriver is the environment that the kernel reports of the device behind a node, with the name of its driver.
func deviceDriver(sys fs.FS, node string) string {
	text, err := fs.ReadFile(sys, "class/drm/"+filepath.Base(node)+"/device/uevent")
	if err != nil {
		return ""
	}
	return string(text)
}
