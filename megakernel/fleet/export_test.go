package fleet

// PublishNow publishes the state of a run, for measuring what that costs.
func PublishNow(p *Publisher) { (&states{publisher: p}).publish(false) }

// HubOf is the connection of a publisher.
func HubOf(p *Publisher) *Hub { return p.hub }
