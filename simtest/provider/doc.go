// Package provider is a simulated API provider with a client that drives it:
// the world in which acquire algorithms are compared.
//
// The provider is a few endpoints behind which a vendor would run servers. One
// request goes in and one outcome comes out: served, refused (429 with a
// Retry-After), or failed as a vendor's client would see it (a 503, a reset
// connection, a timeout). What an endpoint can take follows a daily cycle that
// its customers are not told of; above it, or above a token bucket that is
// tightened by every refusal, it refuses; and it has storms, in which most of
// what it accepts fails. See Endpoint for the rules, each with its formula.
//
// The client has jobs: in a closed loop a number of workers claim them one
// after the other, in an open loop they arrive at their own times. A job is
// steps in sequence, a step is tried again when it fails, and each attempt
// makes calls, each under a lease that the contestant, an algorithm of package
// acquire, has chosen. There is a pool for each vendor. It knows the endpoints'
// nominal capacity and what was reported to it, nothing else: no algorithm can
// reach the provider.
//
// Everything beyond that is for worlds that need it, and costs the others
// nothing: outages, enforced quotas, caches that pay for reuse, latency that
// grows with load, limits of a whole vendor, changes at run time, deadlines,
// timeouts, retry budgets. Package catalog has a scenario for each.
//
// What the world rolls is the same for every contestant. The rolls of a
// request belong to its ordinal at its endpoint, storms to their window,
// arrivals to the job's number, and the client's own randomness to job, step
// and attempt, never to a worker or to the order of calls. Contestants
// therefore meet the same luck, and the differences between their results are
// differences between them (common random numbers).
//
// A World holds every assumption; New makes a scenario of it that package
// experiment can sweep. A run is made on the virtual clock, where a ten-minute
// world takes a few milliseconds, or on any other clock with RunOn.
package provider
