//go:build unix

package reference

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"vyretop/engine"
)

// The size of the comparison. Oclgrind runs fewer rounds: only rates are compared, and its start and
// compilation are taken off by running it a second time with a single round.
const (
	comparedItems  = 128
	ourRounds      = 20000
	oclgrindRounds = 2000
)

// BenchmarkIntegerKernelVsOclgrind reports how many times as fast as Oclgrind, one thread each and in
// processor time, we run the same kernel; both results are compared too.
func BenchmarkIntegerKernelVsOclgrind(b *testing.B) {
	if _, err := exec.LookPath("oclgrind-kernel"); err != nil {
		b.Skip("oclgrind-kernel is not installed. Fix: apt-get install oclgrind")
	}
	backend := openBackend(b, Options{})
	p := compileText(b, backend, "integer.comp", readTestdata(b, "oclgrind/integer.comp"))
	compareResults(b, p)
	var ours, theirs time.Duration
	for b.Loop() {
		begin := processorTime(b)
		runInteger(b, p, ourRounds)
		ours += processorTime(b) - begin
		long, _ := oclgrind(b, oclgrindRounds)
		short, _ := oclgrind(b, 1)
		theirs += long - short
	}
	oursPerRound := ours.Seconds() / float64(b.N) / (ourRounds * comparedItems)
	theirsPerRound := theirs.Seconds() / float64(b.N) / ((oclgrindRounds - 1) * comparedItems)
	b.ReportMetric(theirsPerRound/oursPerRound, "x-oclgrind")
	b.ReportMetric(1e9*oursPerRound, "ns/round")
	b.ReportMetric(1e9*theirsPerRound, "oclgrind-ns/round")
}

// processorTime is how long this process has worked: other load on the machine does not count.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func runInteger(b *testing.B, p *Pipeline, rounds int) []uint32 {
	cfg := engine.DispatchConfig{Grid: [3]uint32{comparedItems / 64, 1, 1}}
	out, _, err := dispatch(b, p, cfg, integerInputs(comparedItems, rounds)...)
	if err != nil {
		b.Fatal(err)
	}
	return out[1]
}

func compareResults(b *testing.B, p *Pipeline) {
	_, theirs := oclgrind(b, 100)
	for i, ours := range runInteger(b, p, 100) {
		if ours != theirs[i] {
			b.Fatalf("item %d: %d, Oclgrind has %d", i, ours, theirs[i])
		}
	}
}

// oclgrind runs the OpenCL twin on one thread and returns how long the processor worked, and the result.
func oclgrind(b *testing.B, rounds int) (time.Duration, []uint32) {
	b.Helper()
	dir := b.TempDir()
	kernel := []byte(readTestdata(b, "oclgrind/integer.cl"))
	script := fmt.Sprintf("integer.cl\ninteger\n%d 1 1\n64 1 1\n\n<size=1024 uint range=0:1:255>\n<size=%d uint fill=0 dump>\n<size=4 uint>\n%d\n",
		comparedItems, comparedItems*4, rounds)
	for name, text := range map[string][]byte{"integer.cl": kernel, "run.sim": []byte(script)} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "oclgrind-kernel", "--num-threads", "1", "run.sim")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), dumpedWords(b, out)
}

// dumpedWords reads the lines "result[3] = 17".
func dumpedWords(b *testing.B, out []byte) []uint32 {
	var words []uint32
	for line := range bytes.Lines(out) {
		if _, value, ok := strings.Cut(string(line), "] = "); ok {
			v, err := strconv.ParseUint(strings.TrimSpace(value), 10, 32)
			if err != nil {
				b.Fatal(err)
			}
			words = append(words, uint32(v))
		}
	}
	if len(words) != comparedItems {
		b.Fatalf("Oclgrind printed %d words:\n%s", len(words), out)
	}
	return words
}
