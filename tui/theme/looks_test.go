package theme

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"vyretop/tui/cells"
)

func TestEveryThemeCanBeWorn(t *testing.T) {
	for _, name := range Names() {
		l, err := Named(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range []Mode{Color, Mono, Bare} {
			th := New(mode, true)
			th.Apply(l)
			if mode == Bare && *th.Palette != (cells.Palette{}) {
				t.Errorf("%s uses sequences on a terminal that shows none", name)
			}
			if (th.Mode == Mono || mode == Mono) && strings.Contains(fmt.Sprint(*th.Palette), "38;") {
				t.Errorf("%s uses colors where there are none", name)
			}
			if mode == Color && name != "mono" && th.Palette[Fault] == th.Palette[Running] {
				t.Errorf("%s shows faults as it shows what runs", name)
			}
		}
	}
	for i, name := range roleNames {
		if name == "" {
			t.Errorf("role %d has no name", i)
		}
	}
}

func TestThemesOfUsers(t *testing.T) {
	l, err := NewLooks("mine", "light", map[string]string{"running": "bold reverse #0a0b0c", "ready": "bright-red", "done": ""})
	if err != nil {
		t.Fatal(err)
	}
	th := New(Color, true)
	th.Apply(l)
	for style, want := range map[cells.Style]string{Running: "\x1b[0;1;7;38;2;10;11;12m", Ready: "\x1b[0;91m", Done: "", Yielded: "\x1b[0;38;5;25m"} {
		if got := th.Palette[style]; got != want {
			t.Errorf("%s is %q, want %q", roleNames[style], got, want)
		}
	}
	for _, tt := range []struct {
		base  string
		roles map[string]string
	}{
		{"none", nil}, {"", map[string]string{"running": "loud"}}, {"", map[string]string{"runner": "red"}}, {"", map[string]string{"done": "red blue"}},
		{"", map[string]string{"done": "#12345"}}, {"", map[string]string{"done": "#gggggg"}}, {"", map[string]string{"done": "256"}},
	} {
		if _, err := NewLooks("bad", tt.base, tt.roles); !errors.Is(err, ErrLooks) || !strings.Contains(err.Error(), "Fix: ") {
			t.Errorf("%v: %v", tt, err)
		}
	}
}

// The kinds of color blindness, as matrices on linear RGB. Source: G. Machado, M. Oliveira, L. Fernandes,
// "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15 (2009), severity 1.
var blindness = map[string][3][3]float64{
	"none":         {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

// TestColorBlindSafeThemeIs: the states that must not be mixed up differ for everybody, by more than
// two colors side by side have to (CIE 1976: about 2.3 is just noticeable).
func TestColorBlindSafeThemeIs(t *testing.T) {
	l, err := Named("cb-safe")
	if err != nil {
		t.Fatal(err)
	}
	states := []cells.Style{Running, Ready, Yielded, Paused, Waiting, Fault}
	for kind, m := range blindness {
		for i, a := range states {
			for _, b := range states[i+1:] {
				if d := distance(seen(t, l, a, m), seen(t, l, b, m)); d < 15 {
					t.Errorf("%s: %s and %s are only %.1f apart", kind, roleNames[a], roleNames[b], d)
				}
			}
		}
	}
}

// seen is the color of a role in CIE L*a*b* as somebody sees it.
func seen(t *testing.T, l *Looks, style cells.Style, m [3][3]float64) [3]float64 {
	t.Helper()
	var rgb [3]int
	if _, err := fmt.Sscanf(l.roles[style].color, "38;2;%d;%d;%d", &rgb[0], &rgb[1], &rgb[2]); err != nil {
		t.Fatalf("%s: %v", roleNames[style], err)
	}
	var linear, out [3]float64
	for i, v := range rgb {
		linear[i] = math.Pow((float64(v)/255+0.055)/1.055, 2.4)
	}
	for i := range out {
		for j := range linear {
			out[i] += m[i][j] * linear[j]
		}
		out[i] = min(max(out[i], 0), 1)
	}
	return lab(out)
}

func lab(c [3]float64) [3]float64 {
	f := func(v float64) float64 {
		if v > 216.0/24389 {
			return math.Cbrt(v)
		}
		return (24389.0/27*v + 16) / 116
	}
	x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.9505)
	y := f(0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2])
	z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.089)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}
