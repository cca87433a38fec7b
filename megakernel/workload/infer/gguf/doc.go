// Package gguf reads and writes model files in the GGUF format, version 2 and 3, little-endian.
//
// Layout (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md): the magic "GGUF", the version, the number of tensors
// and of metadata entries, the entries (key, type, value), the tensors' descriptions (name, dimensions, type, offset), and
// from the next multiple of general.alignment on the tensors' data. Counts and sizes in a file are untrusted: every
// one is compared with the bytes that are left before memory is taken for it.
//
// Tensors may be F32, F16 or Q8_0. A block of Q8_0 is 32 weights: a scale as F16 and 32 signed bytes.//
// A model file has its vocabulary, too: Tokenizer is what encodes text with it.
package gguf
