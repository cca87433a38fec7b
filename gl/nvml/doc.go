// Package nvml reads the vitals of NVIDIA devices through the driver's management library, libnvidia-ml. The
// library is loaded at run time: without it, and in builds without cgo or the tag egl, the source is absent.
//
// The bindings stay at 0.12.9: from 0.13 on their header marks functions as deprecated, and the bindings, which have all
// of them, then print dozens of compiler warnings that neither a build tag nor a directive of this package turns off.
package nvml
