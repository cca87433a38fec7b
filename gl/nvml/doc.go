// Package nvml reads the vitals of NVIDIA devices through the driver's management library, libnvidia-ml. The
// library is loaded at run time: without it, and in builds without cgo or the tag egl, there is no source.
package nvml
