package cost

import (
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkEnterToSource is the time from Enter on a task that a breakpoint holds to its source on the screen, by backend: with
// all eight tasks of an example held, and with one held while the others work.
func BenchmarkEnterToSource(b *testing.B) {
	for _, backend := range []string{"reference", "gl"} {
		b.Run(backend+"/at-rest", func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				p, s := holding(b, backend, "sums", "sum.glsl:5")
				s.until("HIT 8")
				for range 8 {
					times = append(times, s.source(p, "=>   5 "))
					p.press("j")
				}
				p.stop()
			}
			report(b, times, "source")
		})
		b.Run(backend+"/working", func(b *testing.B) {
			var times []time.Duration
			for b.Loop() {
				p, s := holding(b, backend, "rounds", "rounds.glsl:6 if t.output_handle == 2u")
				s.until("HIT 1")
				p.press("/")
				p.press("id=3\r")
				for range 8 {
					times = append(times, s.source(p, "=>   6 "))
					p.press("c")
					s.until("resume task 3")
				}
				p.stop()
			}
			report(b, times, "source")
		})
	}
}

// holding runs an example with a breakpoint, and shows its tasks.
func holding(b *testing.B, backend, example, at string) (*process, *screen) {
	dir, err := filepath.Abs("../../../../docs/examples/" + example)
	if err != nil {
		b.Fatal(err)
	}
	p := start(b, []string{"XDG_CACHE_HOME=" + filepath.Join(programs, "cache")}, onDevices(b), "run", dir, "--backend", backend, "--break", at)
	s := p.screen()
	s.until("BREAK 1")
	p.press("3")
	return p, s
}

// source opens the source of the selected task, which stands at a line, and returns to the tasks.
func (s *screen) source(p *process, line string) time.Duration {
	s.until("Enter source")
	at := p.press("\r")
	took := s.until(line).Sub(at)
	p.press(";") // and quit closes the task, so that its source is not shown while the next one is captured
	p.press("quit\r")
	s.until("task▲")
	return took
}
