package provider

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ranktest/ranktest/pool"
)

// vendorOf returns the name of the vendor, and of the pool, of an endpoint.
func (w *World) vendorOf(endpoint int) string {
	if v := w.Endpoints[endpoint].Vendor; v != "" {
		return v
	}
	return w.Name
}

// vendors returns the names of all vendors, in order of first appearance.
func (w *World) vendors() []string {
	var names []string
	for i := range w.Endpoints {
		if v := w.vendorOf(i); !slices.Contains(names, v) {
			names = append(names, v)
		}
	}
	return names
}

// resource is what the client's pool is told of an endpoint.
func (e *Endpoint) resource() pool.Resource {
	return pool.Resource{ID: e.ID, Kind: "endpoint", Capacity: e.Capacity, Quota: e.Quota}
}

// nominal is how many requests the provider takes at once at the cycle's peak
// of 1.
func (e *Endpoint) nominal() float64 { return float64(float64(e.Capacity) * e.Weight) }

// openPools makes the client's pools, with the endpoints that are there from
// the start.
func (c *client) openPools() error {
	w := c.world
	c.pools = map[string]*pool.Pool{}
	for _, name := range w.vendors() {
		p, err := pool.New(name, c.clk, pool.Options{Health: w.Health, Order: w.Order})
		if err != nil {
			return err
		}
		if c.hooks.pool != nil {
			c.hooks.pool(p)
		}
		c.vendors = append(c.vendors, p)
		c.pools[name] = p
	}
	for i := range w.Endpoints {
		if w.publishedLater(w.Endpoints[i].ID) {
			continue
		}
		if err := c.pools[w.vendorOf(i)].Publish(w.Endpoints[i].resource()); err != nil {
			return err
		}
	}
	return nil
}

// validateVendors checks the limits of vendors, and that either all endpoints
// or none name theirs.
func (w *World) validateVendors(p *problems) {
	vendors := map[string]bool{}
	named := 0
	for i := range w.Endpoints {
		e := &w.Endpoints[i]
		vendors[w.vendorOf(i)] = true
		if e.Vendor == "" {
			continue
		}
		named++
		p.check(endpointID.MatchString(e.Vendor), fmt.Sprintf("Endpoints[%d].Vendor", i), e.Vendor, "must be made of letters, digits, '.', '_' and '-'")
	}
	for i := range w.Endpoints {
		p.check(w.Endpoints[i].Vendor != "" || named == 0, fmt.Sprintf("Endpoints[%d].Vendor", i), "", "must be named, because other endpoints name theirs")
	}
	for _, vendor := range slices.Sorted(maps.Keys(w.VendorCapacity)) {
		field := fmt.Sprintf("VendorCapacity[%q]", vendor)
		p.check(vendors[vendor], field, vendor, "is the vendor of no endpoint")
		p.count(w.VendorCapacity[vendor], 1, field)
	}
}
