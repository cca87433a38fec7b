package infer

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"vyretop/megakernel/workload"
	"vyretop/megakernel/workload/infer/gguf"
)

// verifyProducts is how many products of weights are computed again: a few seconds.
const verifyProducts = 2e9

// Verify implements workload.Workload: it computes tokens and logits again, one sequence after the other and one row
// after the other, from the file's own weights, and compares every bit.
func (r *Infer) Verify(ctx context.Context) (workload.Verification, error) {
	left, tokens, all := int64(verifyProducts)/max(r.model.weights(), 1), 0, 0
	left = max(left, 1)
	for i, prompt := range r.plan.prompts {
		list, stopped := r.sequence(i)
		all += len(list)
		if left <= 0 {
			continue
		}
		n, differs := r.again(ctx, prompt, list, stopped, left)
		if ctx.Err() != nil {
			return workload.Verification{}, context.Cause(ctx)
		}
		if differs != "" {
			return workload.Verification{Detail: fmt.Sprintf("sequence %d, %s", i, differs)}, nil
		}
		left -= int64(len(prompt) + n)
		tokens += n
	}
	return workload.Verification{OK: true, Detail: fmt.Sprintf("computed again on the CPU, tokens and logits equal to the last bit: %d of %d tokens", tokens, all)}, nil
}

// again computes a sequence, at most some positions of it, and says how many tokens were compared, and what differs.
func (r *Infer) again(ctx context.Context, prompt []int, list []written, stopped uint32, positions int64) (compared int, differs string) {
	d := newDecoder(r.model)
	next := prompt[0]
	why := uint32(0)
	for position := 0; int64(position) < positions && ctx.Err() == nil; position++ {
		logits := d.step(next, position)
		if position+1 < len(prompt) {
			next = prompt[position+1]
			continue
		}
		best, finite := greatest(logits)
		if !finite {
			why = stopInfinite
		} else {
			if compared == len(list) {
				return compared, fmt.Sprintf("token %d is missing", compared)
			}
			if got := list[compared]; got.token != best || got.logit != math.Float32bits(logits[best]+0) {
				return compared, fmt.Sprintf("token %d is %d with logit %g, on the CPU %d with %g", compared, got.token, math.Float32frombits(got.logit), best, logits[best])
			}
			compared++
			next = best
			switch {
			case best == r.model.tokens.End:
				why = stopEnd
			case compared == r.opt.tokens:
				why = stopLimit
			case position+1 == r.model.context:
				why = stopContext
			}
		}
		if why == 0 {
			continue
		}
		if why != stopped || compared != len(list) {
			return compared, fmt.Sprintf("it stopped after %d tokens (%s), on the CPU after %d (%s)", len(list), stopText(stopped), compared, stopText(why))
		}
		return compared, ""
	}
	return compared, ""
}

func greatest(logits []float32) (best int, finite bool) {
	finite = true
	for i, v := range logits {
		if v > logits[best] {
			best = i
		}
		if v != v || math.IsInf(float64(v), 1) {
			finite = false
		}
	}
	return best, finite
}

// decoder computes one sequence. Explicit conversions keep Go from fusing products and sums, as some processors would.
type decoder struct {
	m            *Model
	keys, values [][]float32 // of each layer, all positions
	span         int
}

func newDecoder(m *Model) *decoder {
	return &decoder{m: m, keys: make([][]float32, len(m.layers)), values: make([][]float32, len(m.layers)), span: (&plan{m: m}).span()}
}

// step reads a token and returns the logits of the next one.
func (d *decoder) step(token, position int) []float32 {
	m := d.m
	x := make([]float32, m.width)
	m.embedding.Values(x, token)
	for i := range m.layers {
		l := &m.layers[i]
		n := normalized(x, l.norm, m.epsilon)
		q, k := product(l.query, n), product(l.key, n)
		d.turn(q, position)
		d.turn(k, position)
		d.keys[i], d.values[i] = append(d.keys[i], k...), append(d.values[i], product(l.value, n)...)
		addTo(x, product(l.output, d.attend(i, q)))
		n = normalized(x, l.feedNorm, m.epsilon)
		gate, up := product(l.gate, n), product(l.up, n)
		for j, g := range gate {
			gate[j] = float32(g/(1+exponential(-g))) * up[j]
		}
		addTo(x, product(l.down, gate))
	}
	return product(m.output, normalized(x, m.norm, m.epsilon))
}

func addTo(x, y []float32) {
	for i := range x {
		x[i] += y[i]
	}
}

func (d *decoder) turn(x []float32, position int) {
	for at := 0; at < len(x); at += d.m.head {
		for i := 0; i < d.m.turned; i += 2 {
			angle := float64(position) * math.Pow(d.m.base, -float64(i)/float64(d.m.turned))
			c, s := float32(math.Cos(angle)), float32(math.Sin(angle))
			a, b := x[at+i], x[at+i+1]
			x[at+i], x[at+i+1] = float32(a*c)-float32(b*s), float32(a*s)+float32(b*c)
		}
	}
}

// lanes4 adds up numbers as the package comment says, four sums side by side.
type lanes4 [4]float32

func (l *lanes4) add(i int, v float32) { l[i%4] += v }
func (l *lanes4) sum() float32         { return (l[0] + l[1]) + (l[2] + l[3]) }

// product multiplies the rows of a matrix with x.
func product(t *gguf.Tensor, x []float32) []float32 {
	out := make([]float32, t.Rows())
	for r := range out {
		out[r] = rowProduct(t, r, x)
	}
	return out
}

func rowProduct(t *gguf.Tensor, r int, x []float32) (sum float32) {
	columns := len(x)
	for at := 0; at < columns; at += block {
		var l lanes4
		scale := float32(1)
		for i := at; i < min(at+block, columns); i++ {
			var w float32
			switch t.Type {
			case gguf.F32:
				w = math.Float32frombits(binary.LittleEndian.Uint32(t.Data[4*(r*columns+i):]))
			case gguf.F16:
				w = gguf.FromHalf(binary.LittleEndian.Uint16(t.Data[2*(r*columns+i):]))
			default:
				b := t.Data[(r*columns+at)/block*gguf.BlockBytes:]
				scale, w = gguf.FromHalf(binary.LittleEndian.Uint16(b)), float32(int8(b[2+i-at]))
			}
			l.add(i, float32(w*x[i]))
		}
		sum += float32(l.sum() * scale)
	}
	return sum
}

func normalized(x []float32, weights *gguf.Tensor, epsilon float64) []float32 {
	sum := float32(0)
	for at := 0; at < len(x); at += block {
		var l lanes4
		for i := at; i < min(at+block, len(x)); i++ {
			l.add(i, float32(x[i]*x[i]))
		}
		sum += l.sum()
	}
	mean := float32(sum * (1 / float32(len(x))))
	factor := 1 / float32(math.Sqrt(float64(mean+float32(epsilon))))
	out := make([]float32, len(x))
	weights.Values(out, 0)
	for i := range out {
		out[i] = float32(x[i]*factor) * out[i]
	}
	return out
}

// attend gives the means of the values that the heads of a query attend to.
func (d *decoder) attend(layer int, q []float32) []float32 {
	m, width := d.m, d.m.keys()
	positions := len(d.keys[layer]) / width
	out := make([]float32, len(q))
	for h := range m.heads {
		from := h / (m.heads / m.keyHeads) * m.head
		scores := make([]float32, positions)
		top := float32(math.Inf(-1))
		for p := range scores {
			var l lanes4
			for i := range m.head {
				l.add(i, float32(q[h*m.head+i]*d.keys[layer][p*width+from+i]))
			}
			scores[p] = l.sum() * m.sharpness()
			top = max(top, scores[p])
		}
		for p := range scores {
			scores[p] = exponential(scores[p] - top)
		}
		var all lanes4
		d.spans(scores, func(i int, e float32) (int, float32) { return i, e }, &all)
		share := 1 / all.sum()
		for i := range m.head {
			var mean lanes4 // only one of them is used: positions are added in order
			d.spans(scores, func(p int, e float32) (int, float32) { return 0, float32(e * d.values[layer][p*width+from+i]) }, &mean)
			out[h*m.head+i] = mean[0] * share
		}
	}
	return out
}

// spans adds up what term makes of each score, and where; first in spans of positions, then these.
func (d *decoder) spans(scores []float32, term func(p int, e float32) (int, float32), out *lanes4) {
	for at := 0; at < len(scores); at += 4 * d.span {
		var l lanes4
		for p := at; p < min(at+4*d.span, len(scores)); p++ {
			l.add(term(p, scores[p]))
		}
		for i, v := range l {
			out[i] += v
		}
	}
}

// exponential is infer_exp of infer.glsl: the polynomial of Cephes' expf.
func exponential(x float32) float32 {
	if x < -87 {
		return 0
	}
	x = min(x, 88)
	n := float32(math.RoundToEven(float64(float32(x * 1.44269504))))
	r := x - float32(n*0.693359375)
	r -= float32(n * -0.000212194440)
	p := float32(0.00019875691500)
	for _, c := range []float32{0.0013981999507, 0.0083334519073, 0.041665795894, 0.16666665459, 0.50000001201} {
		p = float32(p*r) + c
	}
	p = float32(p*float32(r*r)) + r + 1
	return float32(p * math.Float32frombits(uint32(int32(n)+127)<<23))
}
