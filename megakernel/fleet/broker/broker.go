package broker

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"vyretop/engine/fault"
	"vyretop/engine/plainfile"
	"vyretop/megakernel/fleet"
)

// Sentinels for errors.Is.
const (
	// ErrListen: the hub cannot listen there.
	ErrListen fault.Kind = "the hub cannot listen"
	// ErrUsers: a file of users cannot be used.
	ErrUsers fault.Kind = "invalid file of users"
	// ErrCertificate: a certificate cannot be used.
	ErrCertificate fault.Kind = "invalid certificate"
)

// Options say how a hub runs.
type Options struct {
	Listen  string // HOST:PORT; port 0: a free one
	Users   []User // nil: every client may do everything
	Cert    string // files of the certificate and its key; "": no TLS
	Key     string
	Store   string // folder of streams; "": there are none
	Name    string // of the server in a cluster
	Cluster string // HOST:PORT for the other servers of a cluster; "": there are none
	Peers   []string
	Log     func(text string) // nil: nothing is told
}

// Broker is a hub that runs.
type Broker struct {
	server *server.Server
	url    string
	own    fleet.Own // how this process connects
}

// The times and bounds of the server.
const (
	startTime  = 10 * time.Second
	maxPayload = 1 << 20
	maxPending = 64 << 20 // bytes that wait for a client; one that is slower is disconnected
	maxClients = 4096
)

// loopback reports whether only processes of this machine reach a host.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// Start starts a hub. Errors are ErrListen, ErrUsers and ErrCertificate.
func Start(o Options) (*Broker, error) {
	options, err := o.server()
	if err != nil {
		return nil, err
	}
	if err := free(o.Listen); err != nil {
		return nil, err
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, &fault.Error{Kind: ErrListen, Subject: o.Listen, Cause: err, Fix: "correct the flags"}
	}
	if o.Log != nil {
		s.SetLoggerV2(logger{o.Log}, false, false, false)
	}
	s.Start()
	if !s.ReadyForConnections(startTime) {
		s.Shutdown()
		return nil, &fault.Error{Kind: ErrListen, Subject: o.Listen, Detail: "it is not ready after " + startTime.String(), Fix: "see whether another program uses the port, and choose another one with --listen"}
	}
	b := &Broker{server: s, url: urlOf(s.Addr().String(), o.Cert != "")}
	if len(o.Users) > 0 {
		b.own.Name, b.own.Password = ownUser, options.Users[len(options.Users)-1].Password
	}
	b.own.Server = s
	return b, nil
}

// KeepAudit has the hub keep the audit, which needs a Store.
func (b *Broker) KeepAudit(ctx context.Context) error {
	h, err := fleet.ConnectOwn(b.own)
	if err != nil {
		return err
	}
	defer h.Close()
	return h.KeepAudit(ctx)
}

// free finds at once what the server would try again and again: that it cannot listen.
func free(listen string) error {
	l, err := net.Listen("tcp", listen)
	if err != nil {
		return &fault.Error{Kind: ErrListen, Subject: listen, Cause: err, Fix: "choose a free address of this machine with --listen, such as 127.0.0.1:0"}
	}
	return l.Close()
}

// URL is the address for clients, without a user.
func (b *Broker) URL() string { return b.url }

func urlOf(address string, secure bool) string {
	scheme := "nats"
	if secure {
		scheme = "tls"
	}
	if host, port, err := net.SplitHostPort(address); err == nil && (host == "::" || host == "0.0.0.0") {
		address = net.JoinHostPort(hostname(), port)
	}
	return scheme + "://" + address
}

// Close ends the hub.
func (b *Broker) Close() {
	b.server.Shutdown()
	b.server.WaitForShutdown()
}

func (o *Options) server() (*server.Options, error) {
	host, port, err := address("--listen", o.Listen)
	if err != nil {
		return nil, err
	}
	if err := o.secure(host); err != nil {
		return nil, err
	}
	out := &server.Options{
		Host: host, Port: port, NoSigs: true, NoLog: o.Log == nil, MaxPayload: maxPayload, MaxPending: maxPending, MaxConn: maxClients,
		ServerName: o.Name, JetStream: o.Store != "", StoreDir: o.Store, DisableJetStreamBanner: true,
	}
	if port == 0 {
		out.Port = server.RANDOM_PORT
	}
	out.Users, out.Nkeys = o.accounts()
	if o.Cert != "" {
		if out.TLSConfig, err = certificate(o.Cert, o.Key); err != nil {
			return nil, err
		}
		out.TLS = true
	}
	return out, o.cluster(out)
}

// secure refuses what would let anyone in from other machines, or send passwords in the clear.
func (o *Options) secure(host string) error {
	if loopback(host) {
		return nil
	}
	if len(o.Users) == 0 {
		return &fault.Error{Kind: ErrListen, Subject: o.Listen, Detail: "other machines could reach it, and everyone could steer the runs", Fix: "make users with `vyretop hub user NAME` and give their file with --users, or listen on 127.0.0.1"}
	}
	for _, u := range o.Users {
		if u.Password != "" && o.Cert == "" {
			return &fault.Error{Kind: ErrListen, Subject: o.Listen, Detail: "the password of " + u.Name + " would be sent in the clear", Fix: "give a certificate with --tls-cert and --tls-key, or use keys instead of passwords"}
		}
	}
	return nil
}

// address takes HOST:PORT apart.
func address(flag, text string) (host string, port int, err error) {
	host, number, err := net.SplitHostPort(text)
	if err == nil {
		port, err = strconv.Atoi(number)
	}
	if err != nil || port < 0 || port > 65535 || host == "" {
		return "", 0, &fault.Error{Kind: ErrListen, Subject: fmt.Sprintf("%s %q", flag, text), Detail: "not an address", Fix: "write HOST:PORT, such as 127.0.0.1:4222"}
	}
	return host, port, nil
}

// certificate reads a certificate and its key.
func certificate(cert, key string) (*tls.Config, error) {
	invalid := func(detail string, cause error) error {
		return &fault.Error{Kind: ErrCertificate, Subject: cert, Detail: detail, Cause: cause, Fix: "name a certificate that is valid now, and its key, in PEM form, with --tls-cert and --tls-key"}
	}
	text, err := plainfile.Read(cert, maxFile)
	if err != nil {
		return nil, plainfile.Failure("read", cert, err, "name a file in PEM form with --tls-cert")
	}
	secret, err := plainfile.Read(key, maxFile)
	if err != nil {
		return nil, plainfile.Failure("read", key, err, "name a file in PEM form with --tls-key")
	}
	pair, err := tls.X509KeyPair(text, secret)
	if err != nil {
		return nil, invalid("", err)
	}
	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	switch {
	case err != nil:
		return nil, invalid("", err)
	case time.Now().After(leaf.NotAfter):
		return nil, invalid("it has expired on "+leaf.NotAfter.Format(time.DateOnly), nil)
	case time.Now().Before(leaf.NotBefore):
		return nil, invalid("it is not valid before "+leaf.NotBefore.Format(time.DateTime), nil)
	}
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}, nil
}

// cluster adds the other servers.
func (o *Options) cluster(out *server.Options) error {
	if o.Cluster == "" {
		return nil
	}
	host, port, err := address("--cluster", o.Cluster)
	if err != nil {
		return err
	}
	if o.Name == "" {
		return &fault.Error{Kind: ErrListen, Subject: "--cluster " + o.Cluster, Detail: "a server of a cluster needs a name of its own", Fix: "give it one with --name"}
	}
	if !loopback(host) && len(o.Users) > 0 && o.Cert == "" {
		return &fault.Error{Kind: ErrListen, Subject: "--cluster " + o.Cluster, Detail: "the servers would trust every machine", Fix: "use an own NATS cluster with TLS between machines, or listen on 127.0.0.1"}
	}
	out.Cluster = server.ClusterOpts{Name: "vyretop", Host: host, Port: port}
	for _, p := range o.Peers {
		if _, _, err := address("--peer", p); err != nil {
			return err
		}
		out.Routes = append(out.Routes, &url.URL{Scheme: "nats", Host: p})
	}
	return nil
}
