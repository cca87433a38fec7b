package main

import "math"

// Products are converted explicitly wherever they are added to something: Go may otherwise fuse the two operations,
// and does so on some processors only.

func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	for len(a) >= 4 && len(b) >= 4 {
		s0 += float32(a[0] * b[0])
		s1 += float32(a[1] * b[1])
		s2 += float32(a[2] * b[2])
		s3 += float32(a[3] * b[3])
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s0 += float32(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// addScaled adds k times b to a.
func addScaled(a []float32, k float32, b []float32) {
	for len(a) >= 4 && len(b) >= 4 {
		a[0] += float32(k * b[0])
		a[1] += float32(k * b[1])
		a[2] += float32(k * b[2])
		a[3] += float32(k * b[3])
		a, b = a[4:], b[4:]
	}
	for i := range a {
		a[i] += float32(k * b[i])
	}
}

func add(a, b []float32) {
	for i := range a {
		a[i] += b[i]
	}
}

// exp is e to the power of x, from operations that are the same on every processor.
func exp(x float32) float32 {
	if x < -87 {
		return 0
	}
	n := math.RoundToEven(float64(x) * (1 / math.Ln2))
	r := float64(x) - float64(n*math.Ln2)
	sum, term := 1.0, 1.0
	for i := 1; i <= 12; i++ {
		term = float64(term*r) / float64(i)
		sum += term
	}
	return float32(math.Ldexp(sum, int(n)))
}

func sigmoid(x float32) float32 { return 1 / (1 + exp(-x)) }
