// Package lower turns the typed tree of a kernel into code for package vm.
//
// Values live in registers densely, component after component, whatever their type; buffers follow
// the std430 layout, shared memory is dense. Every call is inlined: GLSL has no recursion, and the
// code keeps a table from instructions to the calls they came from. A program that grows past the
// limits of vm through inlining is a LimitError.
//
// Evaluation is left to right. Where the right operand changes variables, the left one is copied
// first, so an expression such as i + i++ has one meaning.
package lower
