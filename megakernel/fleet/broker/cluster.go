package broker

import (
	"net/url"

	"github.com/nats-io/nats-server/v2/server"

	"vyretop/engine/fault"
)

// cluster adds the other servers.
func (o *Options) cluster(out *server.Options) error {
	if o.Cluster == "" {
		if o.ClusterCA != "" || len(o.Peers) > 0 {
			return &fault.Error{Kind: ErrListen, Subject: "--peer, --cluster-ca", Detail: "they are about a cluster, and this server is in none", Fix: "give its address for the other servers with --cluster"}
		}
		return nil
	}
	host, port, err := address("--cluster", o.Cluster)
	if err != nil {
		return err
	}
	invalid := func(detail, fix string) error {
		return &fault.Error{Kind: ErrListen, Subject: "--cluster " + o.Cluster, Detail: detail, Fix: fix}
	}
	switch {
	case o.Name == "":
		return invalid("a server of a cluster needs a name of its own", "give it one with --name")
	case o.ClusterCA != "" && o.Cert == "":
		return invalid("the servers prove themselves by their certificates, and this one has none", "give it with --tls-cert and --tls-key")
	case !loopback(host) && o.ClusterCA == "":
		return invalid("every machine could join, and read and change everything", "name the certificates that sign those of the servers with --cluster-ca, or listen on 127.0.0.1")
	}
	if port == 0 {
		port = server.RANDOM_PORT // 0 would be no cluster
	}
	out.Cluster = server.ClusterOpts{Name: "vyretop", Host: host, Port: port}
	if o.ClusterCA != "" {
		if out.Cluster.TLSConfig, err = mutual(out.TLSConfig, o.ClusterCA); err != nil {
			return err
		}
		out.Cluster.TLSTimeout = routeTime.Seconds()
	}
	for _, p := range o.Peers {
		if _, _, err := address("--peer", p); err != nil {
			return err
		}
		out.Routes = append(out.Routes, &url.URL{Scheme: "nats", Host: p})
	}
	return nil
}
