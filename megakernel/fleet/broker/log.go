package broker

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"syscall"

	"vyretop/engine/fault"
	"vyretop/megakernel/fleet"
)

// logger passes on what the server logs, from notices on, and says what keeps the servers of a cluster apart.
type logger struct {
	tell    func(string)
	trouble func(error)
	full    chan<- struct{} // receives when a stream cannot be written for want of room

	mu   sync.Mutex
	told map[string]bool // of trouble; the server tries again and again
}

// remoteError is what package tls calls it when the other side refuses a connection.
const remoteError = "remote error"

// routeType is what the server calls a connection between servers, where it says what is about one.
const routeType = "route"

// maxTold bounds the different troubles that are told.
const maxTold = 64

func newLogger(o *Options) *logger {
	l := &logger{tell: o.Log, trouble: o.Trouble, full: o.full, told: map[string]bool{}}
	if l.tell == nil {
		l.tell = func(string) {}
	}
	if l.trouble == nil {
		l.trouble = func(error) {}
	}
	return l
}

// Noticef implements server.Logger, as do the others.
func (l *logger) Noticef(format string, v ...any) { l.tell(fmt.Sprintf(format, v...)) }
func (l *logger) Warnf(format string, v ...any)   { l.tell("warning: " + fmt.Sprintf(format, v...)) }
func (l *logger) Fatalf(format string, v ...any)  { l.tell("fatal: " + fmt.Sprintf(format, v...)) }
func (*logger) Debugf(string, ...any)             {}
func (*logger) Tracef(string, ...any)             {}

// Errorf also looks for what users have to mend.
func (l *logger) Errorf(format string, v ...any) {
	if slices.Contains(v, any(routeType)) { // clients are told by themselves
		for _, x := range v {
			if err, ok := x.(error); ok {
				l.between(err)
			}
		}
	}
	for _, x := range v {
		if err, ok := x.(error); ok && errors.Is(err, syscall.ENOSPC) {
			l.noRoom()
		}
	}
	l.tell("error: " + fmt.Sprintf(format, v...))
}

// noRoom has the store looked after.
func (l *logger) noRoom() {
	select {
	case l.full <- struct{}{}:
	default: // that it is full is known
	}
}

// between tells once of an error between servers that does not end by itself.
func (l *logger) between(err error) {
	e := refusal(err)
	if e == nil {
		return
	}
	l.mu.Lock()
	text := e.Error()
	again := l.told[text] || len(l.told) >= maxTold
	l.told[text] = true
	l.mu.Unlock()
	if !again {
		l.trouble(e)
	}
}

// refusal is what is wrong between two servers whose connection is refused because of a certificate; nil for another error.
func refusal(err error) *fault.Error {
	e := &fault.Error{Kind: ErrCertificate, Fix: "use certificates that one in --cluster-ca signs, for servers and clients, with the names of their machines"}
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var answer *net.OpError
	switch {
	case errors.As(err, &verification):
		e.Subject = "another server"
		if len(verification.UnverifiedCertificates) > 0 {
			e.Subject = serverOf(verification.UnverifiedCertificates[0])
		}
		if detail := fleet.Untimely(err); detail != "" {
			e.Detail, e.Fix = detail, "renew it there, or correct the clock of that machine or this one"
			return e
		}
		e.Detail, e.Cause = "its certificate is refused", verification.Err
	case errors.As(err, &answer) && answer.Op == remoteError:
		e.Subject, e.Detail, e.Cause = "another server", "it refuses this server's certificate", answer.Err
	case errors.As(err, &record):
		e.Subject, e.Detail, e.Fix = "another server", "it uses no TLS between servers", "start all servers of the cluster with --cluster-ca"
	default:
		return nil
	}
	return e
}

// serverOf names the server that a certificate is of.
func serverOf(c *x509.Certificate) string {
	name := c.Subject.CommonName
	switch {
	case len(c.DNSNames) > 0:
		name = c.DNSNames[0]
	case name == "" && len(c.IPAddresses) > 0:
		name = c.IPAddresses[0].String()
	}
	return fmt.Sprintf("server %q", name)
}

// hostname is the name of this machine.
func hostname() string {
	if name, err := os.Hostname(); err == nil {
		return name
	}
	return "localhost"
}
