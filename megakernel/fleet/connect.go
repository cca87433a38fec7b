package fleet

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/megakernel/safe"
)

// DefaultPort is the port of a hub whose address names none.
const DefaultPort = "4222"

// Address says which hub to connect to, and as which user.
type Address struct {
	URL  string // nats://HOST:PORT or tls://HOST:PORT, several with commas; NAME:PASSWORD@ in front of the host
	Key  string // file with the seed of an nkey; "" for none
	CA   string // file with the certificates that sign the hub's; "" for those of the system
	Name string // of this program and its command, for the hub's administrator
	// Told, when not nil, is told when the connection is lost, and why, and when it is back, with nil.
	Told func(err error)
}

// Hub is a connection to a hub. It connects again by itself.
type Hub struct {
	*nats.Conn
	url  string
	User string // the name of the user, Anyone at a hub without users

	asked   sync.Mutex
	allowed *permissions // as the hub says, once it was asked
}

// The times of connections, and how much is kept of what is published while there is none.
const (
	dialTime    = 5 * time.Second
	retryTime   = 500 * time.Millisecond
	pingTime    = 5 * time.Second
	flushTime   = 5 * time.Second
	keptOffline = 1 << 20
	askTime     = 5 * time.Second
)

// Check completes and checks the address of a hub. Errors are ErrAddress.
func Check(text string) (string, error) {
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if part != "" && !strings.Contains(part, "://") {
			part = "nats://" + part
		}
		u, err := url.Parse(part)
		invalid := func(detail string) error {
			return &fault.Error{Kind: ErrAddress, Subject: fmt.Sprintf("--hub %q", safe.Text(Redact(text))), Detail: detail, Fix: "write nats://HOST:PORT, as vyretop hub prints it"}
		}
		switch {
		case err != nil:
			return "", invalid("not an address")
		case u.Scheme != "nats" && u.Scheme != "tls" && u.Scheme != "ws" && u.Scheme != "wss":
			return "", invalid("unknown scheme " + u.Scheme)
		case u.Hostname() == "":
			return "", invalid("it names no host")
		}
		if u.Port() == "" && (u.Scheme == "nats" || u.Scheme == "tls") {
			u.Host += ":" + DefaultPort
		}
		u.Path = ""
		out = append(out, u.String())
	}
	return strings.Join(out, ","), nil
}

// Redact leaves passwords out of an address, for people to read.
func Redact(text string) string {
	parts := strings.Split(text, ",")
	for i, p := range parts {
		scheme, rest, ok := strings.Cut(p, "://")
		if !ok {
			scheme, rest = "", p
		}
		if _, host, secret := strings.Cut(rest, "@"); secret {
			rest = host
		}
		parts[i] = rest
		if ok {
			parts[i] = scheme + "://" + rest
		}
	}
	return strings.Join(parts, ",")
}

// Connect connects to a hub. With patient it also returns a Hub that is not connected yet, and tries on. Errors are ErrAddress and
// ErrHub.
func Connect(a Address, patient bool) (*Hub, error) {
	servers, err := Check(a.URL)
	if err != nil {
		return nil, err
	}
	h := &Hub{url: Redact(servers), User: Anyone}
	o, err := a.options(h, patient)
	if err != nil {
		return nil, err
	}
	user := userOf(servers)
	if user != "" {
		h.User = Token(user)
	}
	if a.Key != "" {
		name, key, err := readKey(a.Key)
		if err != nil {
			return nil, err
		}
		h.User, o = Token(name), append(o, key)
	}
	o = append(o, nats.CustomInboxPrefix(InboxPrefix(h.User)))
	h.Conn, err = nats.Connect(servers, o...)
	if err != nil {
		return nil, h.failure(err)
	}
	return h, nil
}

// Own is how the process of a hub connects to it.
type Own struct {
	Server         nats.InProcessConnProvider
	Name, Password string // of its user; "" at a hub without users
}

// ConnectOwn connects to the hub of this process. Errors are ErrHub.
func ConnectOwn(o Own) (*Hub, error) {
	h := &Hub{url: "this process", User: Anyone}
	options := []nats.Option{nats.InProcessServer(o.Server), nats.Timeout(dialTime)}
	if o.Name != "" {
		h.User = o.Name
		options = append(options, nats.UserInfo(o.Name, o.Password), nats.CustomInboxPrefix(InboxPrefix(o.Name)))
	}
	var err error
	if h.Conn, err = nats.Connect("", options...); err != nil {
		return nil, h.failure(err)
	}
	return h, nil
}

func (a *Address) options(h *Hub, patient bool) ([]nats.Option, error) {
	told := func(err error) {
		if a.Told == nil {
			return
		}
		if err != nil {
			err = h.failure(err)
		}
		a.Told(err)
	}
	o := []nats.Option{
		nats.Name(a.Name), nats.Timeout(dialTime), nats.MaxReconnects(-1), nats.ReconnectWait(retryTime), nats.PingInterval(pingTime), nats.MaxPingsOutstanding(2),
		nats.FlusherTimeout(flushTime), nats.ReconnectBufSize(keptOffline), nats.RetryOnFailedConnect(patient), nats.IgnoreAuthErrorAbort(),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				told(err)
			}
		}),
		nats.ConnectHandler(func(*nats.Conn) { told(nil) }),
		nats.ReconnectHandler(func(*nats.Conn) { told(nil) }),
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { told(err) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) || errors.Is(err, nats.ErrAuthorization) {
				told(err)
			}
		}),
	}
	if a.CA != "" {
		pool, err := readCertificates(a.CA)
		if err != nil {
			return nil, err
		}
		o = append(o, nats.Secure(&tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}))
	}
	return o, nil
}

func readCertificates(file string) (*x509.CertPool, error) {
	text, err := plainfile.Read(file, maxKeyFile)
	if err != nil {
		return nil, plainfile.Failure("read", file, err, "name a file with certificates in PEM form")
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, &fault.Error{Kind: ErrAddress, Subject: file, Detail: "there is no certificate in it", Fix: "name a file with certificates in PEM form"}
	}
	return pool, nil
}

// userOf is the name of the user in the address of a hub, "" for none.
func userOf(servers string) string {
	first, _, _ := strings.Cut(servers, ",")
	u, err := url.Parse(first)
	if err != nil || u.User == nil {
		return ""
	}
	return u.User.Username()
}

// failure says why a hub could not be reached.
func (h *Hub) failure(err error) error {
	e := &fault.Error{Kind: ErrHub, Subject: h.url, Cause: err, Fix: "start it with `vyretop hub`, or correct --hub"}
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked), errors.Is(err, nats.ErrAccountAuthExpired):
		e.Detail, e.Cause, e.Fix = "the hub does not let this user in", nil, "check the name and password in --hub, or the file of --hub-key"
	case errors.Is(err, nats.ErrPermissionViolation):
		e.Detail, e.Fix = "the hub does not allow this user to do that", "have its administrator make the user with --runs, or a higher --level"
	case errors.As(err, &certificate) && Untimely(err) != "":
		e.Detail, e.Cause, e.Fix = Untimely(err), nil, "renew the hub's certificate, or correct the clock of that machine or this one"
	case errors.As(err, &certificate):
		e.Detail, e.Fix = "its certificate is not trusted", "name the certificates that sign it with --hub-ca, or renew the hub's"
	case errors.Is(err, nats.ErrSecureConnRequired), errors.Is(err, nats.ErrSecureConnWanted):
		e.Detail, e.Cause, e.Fix = "TLS is used by one side only", nil, "write tls:// for a hub with a certificate; for one without nats://, and no --hub-ca"
	}
	return e
}

// Untimely says that a certificate is refused because it has expired, or is not valid yet; "" for another error.
func Untimely(err error) string {
	var invalid x509.CertificateInvalidError
	if !errors.As(err, &invalid) || invalid.Reason != x509.Expired || invalid.Cert == nil {
		return ""
	}
	if before := invalid.Cert.NotBefore; time.Now().Before(before) {
		return "its certificate is not valid before " + before.UTC().Format(time.DateTime)
	}
	return "its certificate has expired on " + invalid.Cert.NotAfter.UTC().Format(time.DateOnly)
}
