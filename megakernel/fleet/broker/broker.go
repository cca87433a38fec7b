package broker

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"vyretop/engine/fault"
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
	// ClusterCA is the file of the certificates that sign those of the servers of the cluster, which prove themselves to each other by
	// theirs; "": they do not, and have no TLS between them.
	ClusterCA string
	Log       func(text string) // nil: nothing is told
	Trouble   func(err error)   // told of what keeps servers of the cluster apart, once, and of a folder without room; nil: it is not told

	secret string        // the password of the hub's own user
	full   chan struct{} // receives when Store has no room
}

// Broker is a hub that runs.
type Broker struct {
	o       Options
	config  *server.Options // that of the server
	server  *server.Server
	store   *os.File // marks its folder; nil without one
	url     string
	own     fleet.Own // how this process connects
	servers int       // of the cluster, as far as they were named
	ended   chan struct{}
	closing sync.Once
	group   sync.WaitGroup
}

// The times and bounds of the server.
const (
	startTime  = 10 * time.Second
	maxPayload = 1 << 20
	maxPending = 64 << 20 // bytes that wait for a client; one that is slower is disconnected
	maxClients = 4096
	auditRetry = time.Second
	routeTime  = 5 * time.Second // for TLS between servers
)

// loopback reports whether only processes of this machine reach a host.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// Start starts a hub. Errors are ErrListen, ErrUsers, ErrCertificate and ErrStore.
func Start(o Options) (*Broker, error) {
	o.secret, o.full = rand.Text(), make(chan struct{}, 1)
	options, err := o.server()
	if err != nil {
		return nil, err
	}
	config := options.Clone() // the server completes its own
	if err := free(o.Listen); err != nil {
		return nil, err
	}
	store, err := claimStore(o.Store)
	if err != nil {
		return nil, err
	}
	s, err := o.serve(options)
	if err != nil {
		return nil, errors.Join(err, closeStore(store))
	}
	b := &Broker{ended: make(chan struct{}), o: o, config: config, server: s, store: store, url: o.urlAt(s.Addr().String()), servers: 1 + len(o.Peers)}
	if len(o.Users) > 0 {
		b.own.Name, b.own.Password = ownUser, o.secret
	}
	b.own.Server = s
	if limits := s.JetStreamConfig(); limits != nil {
		b.group.Go(func() { b.watchStore(limits) })
	}
	return b, nil
}

// serve starts the server.
func (o *Options) serve(options *server.Options) (*server.Server, error) {
	s, err := server.NewServer(options)
	if err != nil {
		return nil, &fault.Error{Kind: ErrListen, Subject: o.Listen, Cause: err, Fix: "correct the flags"}
	}
	if o.Log != nil || o.Trouble != nil || o.Store != "" {
		s.SetLoggerV2(newLogger(o), false, false, false)
	}
	s.Start()
	if !s.ReadyForConnections(startTime) {
		s.Shutdown()
		return nil, &fault.Error{Kind: ErrListen, Subject: o.Listen, Detail: "it is not ready after " + startTime.String(), Fix: "see whether another program uses the port, and choose another one with --listen"}
	}
	return s, nil
}

// KeepAudit has the hub keep the audit, which needs a Store. In a cluster it tries until the servers have found each other, or ctx ends.
func (b *Broker) KeepAudit(ctx context.Context) error {
	h, err := fleet.ConnectOwn(b.own)
	if err != nil {
		return err
	}
	defer h.Close()
	for {
		err := h.KeepAudit(ctx, fleet.ReplicasOf(b.servers))
		if err == nil || b.servers == 1 {
			return err
		}
		select {
		case <-time.After(auditRetry):
		case <-ctx.Done():
			return err
		}
	}
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

// urlAt is the URL of a hub that listens at an address: with the host that was named, because a certificate may be for a name.
func (o *Options) urlAt(address string) string {
	scheme := "nats"
	if o.Cert != "" {
		scheme = "tls"
	}
	host, _, err := net.SplitHostPort(o.Listen)
	_, port, wrong := net.SplitHostPort(address)
	if err != nil || wrong != nil {
		return scheme + "://" + address
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = hostname()
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// Close ends the hub.
func (b *Broker) Close() {
	b.closing.Do(func() { close(b.ended) })
	b.group.Wait()
	b.server.Shutdown()
	b.server.WaitForShutdown()
	_ = closeStore(b.store) // nothing was written to it
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
