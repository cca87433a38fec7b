// Package kernel owns the GLSL of the megakernel and its assembly into one Program.
//
// The kernel's own text is in glsl/, embedded; a handler file may include any of it as
// "vyretop/NAME.glsl". Assemble puts together, in this order: the sizes of this launch as macros,
// the kernel, the workload's handler files, a generated dispatch from opcode to handler, and main.
//
// glsl/abi.glsl is generated from the constants of packages tasks and megakernel; `go generate`
// writes it and a test fails when it is stale.
package kernel

//go:generate go run ./internal/genabi glsl/abi.glsl
