package opensearchindex

import "time"

// Tries is how often a request is sent.
const Tries = tries

// Quick returns options that wait little between tries and looks.
func Quick(o Options) Options {
	o.backoff, o.poll = time.Millisecond, 20*time.Millisecond
	return o
}

// Patient returns options that look often and wait between tries as in production.
func Patient(o Options) Options {
	o.poll = 20 * time.Millisecond
	return o
}
