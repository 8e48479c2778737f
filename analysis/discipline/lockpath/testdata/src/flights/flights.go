// Package flights has correct and mistaken uses of golang.org/x/sync/singleflight.
package flights

import "golang.org/x/sync/singleflight"

func again() (any, error) {
	var g singleflight.Group
	v, err, _ := g.Do("a", func() (any, error) {
		v, err, _ := g.Do("a", func() (any, error) { return 1, nil }) // want `waits here for ever for g.Do, which is under way since`
		return v, err
	})
	return v, err
}

func others() (any, error) {
	var g singleflight.Group
	v, err, _ := g.Do("a", func() (any, error) {
		v, err, _ := g.Do("b", func() (any, error) { return 1, nil })
		return v, err
	})
	return v, err
}

func after() (any, error) {
	var g singleflight.Group
	g.Do("a", func() (any, error) { return 1, nil })
	v, err, _ := g.Do("a", func() (any, error) { return 2, nil })
	return v, err
}

type cache struct{ g singleflight.Group }

func (c *cache) Get(key string) (any, error) {
	v, err, _ := c.g.Do(key, func() (any, error) { return c.Get(key) }) // want `cache.Get waits here for ever for c.g.Do`
	return v, err
}

func (c *cache) Walk(key string) (any, error) {
	v, err, _ := c.g.Do(key, func() (any, error) {
		if key == "" {
			return nil, nil
		}
		return c.Walk(key[1:])
	})
	return v, err
}

func forgets() (any, error) {
	var g singleflight.Group
	v, err, _ := g.Do("a", func() (any, error) {
		g.Forget("a")
		v, err, _ := g.Do("a", func() (any, error) { return 1, nil })
		return v, err
	})
	return v, err
}

func forgetsAnother() (any, error) {
	var g singleflight.Group
	v, err, _ := g.Do("a", func() (any, error) {
		g.Forget("b")
		v, err, _ := g.Do("a", func() (any, error) { return 1, nil }) // want `waits here for ever for g.Do, which is under way since`
		return v, err
	})
	return v, err
}

func (c *cache) Refresh(key, other string) (any, error) {
	v, err, _ := c.g.Do(key, func() (any, error) {
		c.g.Forget(other)
		v, err, _ := c.g.Do(key, func() (any, error) { return 1, nil })
		return v, err
	})
	return v, err
}
