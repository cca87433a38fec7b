package render

import "math"

// vec is a vector of floats. Each operation is rounded once: the conversions keep a compiler from
// fusing them, so that a scene has the same words on every machine.
type vec [3]float32

func (a vec) add(b vec) vec { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) sub(b vec) vec { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func (a vec) times(f float32) vec {
	return vec{float32(a[0] * f), float32(a[1] * f), float32(a[2] * f)}
}

func (a vec) dot(b vec) float32 {
	return float32(float32(a[0]*b[0])+float32(a[1]*b[1])) + float32(a[2]*b[2])
}

func (a vec) cross(b vec) vec {
	return vec{
		float32(a[1]*b[2]) - float32(a[2]*b[1]),
		float32(a[2]*b[0]) - float32(a[0]*b[2]),
		float32(a[0]*b[1]) - float32(a[1]*b[0]),
	}
}

func (a vec) length() float32 { return float32(math.Sqrt(float64(a.dot(a)))) }

// unit is the direction of a; a itself if it has none.
func (a vec) unit() vec {
	n := a.length()
	if n == 0 {
		return a
	}
	return vec{a[0] / n, a[1] / n, a[2] / n}
}

func (a vec) min(b vec) vec { return vec{min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2])} }
func (a vec) max(b vec) vec { return vec{max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2])} }
