package fleet

// PublishNow publishes the state of a run, for measuring what that costs.
func PublishNow(p *Publisher) { (&states{publisher: p}).publish(false) }
