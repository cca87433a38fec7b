package main

import "math"

// pass is one window of text on its way through the model and back.
type pass struct {
	m     *model
	steps [layers]step
	x     []float32 // before the last norm
	n     []float32
	probs []float32 // of each token at each position
}

// step is what a layer needs again on the way back.
type step struct {
	in, n1, q, k, v, att, o []float32
	mid, n2, gate, up, act  []float32
}

func normalize(out, x, g []float32) {
	for t := range len(x) / width {
		in := x[t*width:][:width]
		s := scale(in)
		for i, v := range in {
			out[t*width+i] = v * s * g[i]
		}
	}
}

func scale(x []float32) float32 {
	return float32(1 / math.Sqrt(float64(dot(x, x)/width)+epsilon))
}

// normalizeBack adds to the gradients of x and g.
func normalizeBack(dx, dout, x []float32, m *matrix) {
	for t := range len(x) / width {
		in, d := x[t*width:][:width], dout[t*width:][:width]
		s := scale(in)
		sum := float32(0)
		for i, v := range in {
			m.g[i] += float32(d[i] * v * s)
			sum += float32(d[i] * m.w[i] * v)
		}
		k := sum * s * s * s / width
		for i, v := range in {
			dx[t*width+i] += float32(d[i]*m.w[i]*s) - float32(v*k)
		}
	}
}

func clone(x []float32) []float32 { return append([]float32(nil), x...) }

// forward reads a window and returns the mean loss of predicting each next token.
func (p *pass) forward(tokens, next []int) float64 {
	n := len(tokens)
	x := make([]float32, n*width)
	for t, token := range tokens {
		copy(x[t*width:], p.m.embedding.row(token))
	}
	for i := range p.steps {
		x = p.steps[i].forward(&p.m.layers[i], x)
	}
	p.x, p.n = x, make([]float32, n*width)
	normalize(p.n, x, p.m.norm.w)
	vocabulary := p.m.embedding.rows
	p.probs = make([]float32, n*vocabulary)
	p.m.embedding.forward(p.probs, p.n)
	loss := 0.0
	for t := range n {
		row := p.probs[t*vocabulary:][:vocabulary]
		softmax(row)
		loss -= math.Log(max(float64(row[next[t]]), 1e-30))
	}
	return loss / float64(n)
}

func softmax(row []float32) {
	top, sum := row[0], float32(0)
	for _, v := range row {
		top = max(top, v)
	}
	for i, v := range row {
		row[i] = exp(v - top)
		sum += row[i]
	}
	for i := range row {
		row[i] /= sum
	}
}

func (s *step) forward(l *layer, x []float32) []float32 {
	n := len(x) / width
	s.in, s.n1 = x, make([]float32, n*width)
	normalize(s.n1, x, l.norm.w)
	s.q, s.k, s.v, s.o = make([]float32, n*width), make([]float32, n*width), make([]float32, n*width), make([]float32, n*width)
	l.query.forward(s.q, s.n1)
	l.key.forward(s.k, s.n1)
	l.value.forward(s.v, s.n1)
	turn(s.q, 1)
	turn(s.k, 1)
	s.att = make([]float32, heads*n*n)
	for h := range heads {
		for t := range n {
			row := s.att[(h*n+t)*n:][:t+1]
			for u := range row {
				row[u] = dot(s.q[t*width+h*headDim:][:headDim], s.k[u*width+h*headDim:][:headDim]) * attScale
			}
			softmax(row)
			for u, a := range row {
				addScaled(s.o[t*width+h*headDim:][:headDim], a, s.v[u*width+h*headDim:][:headDim])
			}
		}
	}
	s.mid = make([]float32, n*width)
	l.output.forward(s.mid, s.o)
	add(s.mid, x)
	s.n2 = make([]float32, n*width)
	normalize(s.n2, s.mid, l.feedNorm.w)
	s.gate, s.up, s.act = make([]float32, n*hidden), make([]float32, n*hidden), make([]float32, n*hidden)
	l.gate.forward(s.gate, s.n2)
	l.up.forward(s.up, s.n2)
	for i, g := range s.gate {
		s.act[i] = g * sigmoid(g) * s.up[i]
	}
	out := make([]float32, n*width)
	l.down.forward(out, s.act)
	add(out, s.mid)
	return out
}

const attScale = 0.25 // one over the root of headDim

// backward adds the gradients of the mean loss.
func (p *pass) backward(tokens, next []int) {
	n, vocabulary := len(tokens), p.m.embedding.rows
	for t := range n {
		row := p.probs[t*vocabulary:][:vocabulary]
		row[next[t]]--
		for i := range row {
			row[i] /= float32(n)
		}
	}
	dn, dx := make([]float32, n*width), make([]float32, n*width)
	p.m.embedding.backward(dn, p.probs, p.n)
	normalizeBack(dx, dn, p.x, &p.m.norm)
	for i := layers - 1; i >= 0; i-- {
		dx = p.steps[i].backward(&p.m.layers[i], dx)
	}
	for t, token := range tokens {
		add(p.m.embedding.gradient(token), dx[t*width:][:width])
	}
}

func (s *step) backward(l *layer, dout []float32) []float32 {
	n := len(dout) / width
	dact, dn2 := make([]float32, n*hidden), make([]float32, n*width)
	l.down.backward(dact, dout, s.act)
	dgate, dup := make([]float32, n*hidden), make([]float32, n*hidden)
	for i, g := range s.gate {
		sg := sigmoid(g)
		dup[i] = dact[i] * g * sg
		dgate[i] = dact[i] * s.up[i] * sg * (1 + float32(g*(1-sg)))
	}
	l.gate.backward(dn2, dgate, s.n2)
	l.up.backward(dn2, dup, s.n2)
	dmid := clone(dout)
	normalizeBack(dmid, dn2, s.mid, &l.feedNorm)
	do := make([]float32, n*width)
	l.output.backward(do, dmid, s.o)
	dq, dk, dv := s.attendBack(do)
	turn(dq, -1)
	turn(dk, -1)
	dn1 := make([]float32, n*width)
	l.query.backward(dn1, dq, s.n1)
	l.key.backward(dn1, dk, s.n1)
	l.value.backward(dn1, dv, s.n1)
	din := clone(dmid)
	normalizeBack(din, dn1, s.in, &l.norm)
	return din
}

func (s *step) attendBack(do []float32) (dq, dk, dv []float32) {
	n := len(do) / width
	dq, dk, dv = make([]float32, n*width), make([]float32, n*width), make([]float32, n*width)
	da := make([]float32, n)
	for h := range heads {
		for t := range n {
			row, out := s.att[(h*n+t)*n:][:t+1], do[t*width+h*headDim:][:headDim]
			sum := float32(0)
			for u, a := range row {
				at := u*width + h*headDim
				da[u] = dot(out, s.v[at:][:headDim])
				sum += float32(a * da[u])
				addScaled(dv[at:][:headDim], a, out)
			}
			for u, a := range row {
				at := u*width + h*headDim
				d := a * (da[u] - sum) * attScale
				addScaled(dq[t*width+h*headDim:][:headDim], d, s.k[at:][:headDim])
				addScaled(dk[at:][:headDim], d, s.q[t*width+h*headDim:][:headDim])
			}
		}
	}
	return dq, dk, dv
}
