// Package infer owns the host side of the workload "infer": a decoder-only transformer whose operations are tasks of
// infer.glsl.
//
// # Model
//
// A GGUF file (package gguf) of the architecture "llama": root-mean-square norms, rotary positions, attention with shared
// key heads, and a gated feed-forward part. Matrices are F32, F16 or Q8_0; where a file mixes these, all become F32.
// What would be computed wrongly is refused: other architectures, scaled positions, experts, and tensors that are not
// used. The shipped model is written by the program in the folder train.
//
// # Arithmetic
//
// All numbers are float32 of the kernel language. A sum of products over the columns of a row is made in blocks of 32
// columns: four sums, of the columns 4k, 4k+1, 4k+2 and 4k+3, in order, added as (x + y) + (z + w), and times the
// block's scale with Q8_0; then block after block. Of attention, the positions are columns, in spans that depend
// on the model. So the logits do not depend on the backend, on workers, lanes, tiles, and on other sequences. The token with
// the largest logit is chosen, the first of equal ones.
//
// # Result
//
// The digest is the SHA-256 of the sequences in order: of each the number of tokens written and why it stopped, then the
// number and the logit's bits of each token, as 32-bit words, little-endian.
package infer
