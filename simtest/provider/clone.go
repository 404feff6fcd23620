package provider

import (
	"maps"
	"slices"
)

// clone copies what the caller could change later. What a trace holds is not
// copied: it is large, and nobody changes a record.
func (w World) clone() World {
	w.Endpoints = slices.Clone(w.Endpoints)
	for i := range w.Endpoints {
		e := &w.Endpoints[i]
		e.Quota = maps.Clone(e.Quota)
		e.Bucket = copied(e.Bucket)
		e.Cache = copied(e.Cache)
		e.Outages = slices.Clone(e.Outages)
		e.Limits = slices.Clone(e.Limits)
	}
	l := &w.Workload
	l.Keys = copied(l.Keys)
	if l.Arrivals = copied(l.Arrivals); l.Arrivals != nil {
		l.Arrivals.Phases = slices.Clone(l.Arrivals.Phases)
		l.Arrivals.Profile = slices.Clone(l.Arrivals.Profile)
		l.Arrivals.Trace = copied(l.Arrivals.Trace)
	}
	w.RetryBudget = copied(w.RetryBudget)
	w.VendorCapacity = maps.Clone(w.VendorCapacity)
	w.Changes = slices.Clone(w.Changes)
	w.Contestants = slices.Clone(w.Contestants)
	w.Unsuited = maps.Clone(w.Unsuited)
	return w
}

// copied returns a pointer to a copy, or nil.
func copied[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}
