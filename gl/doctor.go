//go:build cgo && egl

package gl

import (
	"context"
	"time"
)

// Doctor opens and probes every device and reports what it found, one device after the other. It
// fails only when ctx ends or no device can be listed; a device that cannot be used is part of
// the report.
func Doctor(ctx context.Context) (Report, error) {
	infos, err := Devices()
	if err != nil {
		return Report{}, err
	}
	var r Report
	for _, info := range infos {
		if err := ctx.Err(); err != nil {
			return r, typed("examine devices", err)
		}
		r.Devices = append(r.Devices, examine(ctx, info))
	}
	return r, nil
}

func examine(ctx context.Context, info DeviceInfo) DeviceReport {
	r := DeviceReport{Info: info}
	begin := time.Now()
	b, err := Open(ctx, Options{Device: info.Index})
	r.OpenMs = float64(time.Since(begin).Microseconds()) / 1000
	if err != nil {
		r.Error = err.Error()
		return r
	}
	p := b.Profile()
	r.Usable, r.Profile = true, &p
	r.Memory = b.MeasureMemory(ctx)
	r.Cache = b.gl.programs.dir
	r.Messages, _ = b.Messages()
	if err := b.Close(); err != nil {
		r.Messages = append(r.Messages, Message{Source: "window system", Severity: "medium", Text: err.Error()})
	}
	return r
}
