package device

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"vyretop/engine"
	"vyretop/engine/reference"
	"vyretop/engine/units"
	"vyretop/engine/vitals"
	"vyretop/gl"
	"vyretop/gl/nvml"
)

// DoctorSchema names the document of an examination.
const DoctorSchema = "vyretop.doctor/1"

// Doctor is the JSON document of an examination.
type Doctor struct {
	Schema    string               `json:"schema"` // DoctorSchema
	Version   string               `json:"version"`
	OpenGL    *gl.Report           `json:"opengl,omitempty"`
	OpenGLErr string               `json:"opengl_error,omitempty"` // why no device could be listed
	Vitals    []vitals.Device      `json:"vitals,omitempty"`       // of the devices of the host; absent where no library reads them
	Reference engine.DeviceProfile `json:"reference"`
}

// Examine opens and measures every device of the host, one after the other. A device that cannot be used is part of the
// document; an error means that ctx has ended, or that the reference backend cannot be opened. version is that of the program.
func Examine(ctx context.Context, version string) (Doctor, error) {
	found, glErr := gl.Doctor(ctx)
	if err := ctx.Err(); err != nil {
		return Doctor{}, err
	}
	cpu, err := reference.Open(reference.Options{})
	if err != nil {
		return Doctor{}, err
	}
	defer cpu.Close()
	return newDoctor(version, found, glErr, cpu.Profile(), readVitals()), nil
}

// newDoctor makes the document. A glErr says why no OpenGL device could be listed at all. Of the vitals those are
// marked whose device OpenGL can use.
func newDoctor(version string, found gl.Report, glErr error, reference engine.DeviceProfile, list []vitals.Device) Doctor {
	d := Doctor{Schema: DoctorSchema, Version: version, Reference: reference, Vitals: list}
	for _, device := range found.Devices {
		if p := device.Profile; p != nil && !p.SoftwareDevice.Or(false) {
			vitals.Mark(list, p.Identity)
		}
	}
	if glErr != nil {
		d.OpenGLErr = glErr.Error()
	} else {
		d.OpenGL = &found
	}
	return d
}

// readVitals reads the devices of the host once; nil where nothing can.
func readVitals() []vitals.Device {
	source, ok := nvml.Open()
	if !ok {
		return nil
	}
	defer source.Close()
	return source.Read()
}

// WriteDoctor prints an examination for people.
func WriteDoctor(w io.Writer, d Doctor) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "vyretop %s\n", d.Version)
	if d.OpenGL == nil {
		fmt.Fprintf(t, "\nOpenGL: %s\n", d.OpenGLErr)
	} else {
		writeDevices(t, d.OpenGL.Devices)
	}
	writeVitals(t, d.Vitals)
	fmt.Fprintf(t, "\nreference: always usable (--backend reference)\n")
	writeProfile(t, &d.Reference)
	return t.Flush()
}

func writeDevices(w io.Writer, devices []gl.DeviceReport) {
	if len(devices) == 0 {
		fmt.Fprintf(w, "\nOpenGL: no device. Fix: install libegl1 libegl-mesa0 libgl1-mesa-dri, or the vendor's driver\n")
	}
	for _, d := range devices {
		fmt.Fprintf(w, "\ndevice %d: %s\n", d.Info.Index, d.Info.Label())
		if !d.Usable {
			fmt.Fprintf(w, "  not usable\t%s\n", d.Error)
			continue
		}
		fmt.Fprintf(w, "  opened in\t%.1f ms (--backend gl --device %d)\n", d.OpenMs, d.Info.Index)
		writeProfile(w, d.Profile)
		writeMemory(w, d.Memory)
		fmt.Fprintf(w, "  program cache\t%s\n", cmp.Or(d.Cache, "none"))
		for _, m := range d.Messages {
			fmt.Fprintf(w, "  driver says\t%s\n", m.Text)
		}
	}
}

// writeVitals prints what devices report of themselves; what one does not report is not printed.
func writeVitals(w io.Writer, list []vitals.Device) {
	for _, d := range list {
		fmt.Fprintf(w, "\nvitals %d: %s\n", d.Index, d.Name)
		for _, f := range units.Members(d) {
			if f.Name != "index" && f.Name != "name" {
				fmt.Fprintf(w, "  %s\t%s\n", f.Name, f.Value)
			}
		}
	}
}

// writeProfile prints what is known of a device, one line each; what was not read is not printed.
func writeProfile(w io.Writer, p *engine.DeviceProfile) {
	for _, f := range units.Members(p.Identity) {
		fmt.Fprintf(w, "  %s\t%s\n", f.Name, f.Value)
	}
	for _, f := range units.Members(p) {
		switch f.Name {
		case "identity":
		case "extensions":
			fmt.Fprintf(w, "  extensions\t%d (all of them: --json)\n", len(p.Extensions))
		default:
			fmt.Fprintf(w, "  %s\t%s\n", f.Name, f.Value)
		}
	}
}
