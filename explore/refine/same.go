package refine

import "fmt"

// Same compares two interfaces: a client must be able to use both sides in the same way.
func Same(old, new *Interface) error {
	if err := samePorts(old.Ports, new.Ports); err != nil {
		return err
	}
	for name, ports := range old.Types {
		if err := samePorts(ports, new.Types[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func samePorts(old, new []Port) error {
	find := func(list []Port, p Port) *Port {
		for i := range list {
			if list[i].On == p.On && list[i].Name == p.Name {
				return &list[i]
			}
		}
		return nil
	}
	for _, p := range old {
		switch q := find(new, p); {
		case q == nil:
			return fmt.Errorf("the interfaces differ: %s: removed in NEW", p.Label)
		case q.Type != p.Type:
			return fmt.Errorf("the interfaces differ: %s: changed from %s to %s", p.Label, p.Type,
				q.Type)
		}
	}
	for _, p := range new {
		if find(old, p) == nil {
			return fmt.Errorf("the interfaces differ: %s: added in NEW", p.Label)
		}
	}
	return nil
}
