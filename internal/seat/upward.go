package seat

// upward are the processes above this one, the nearest first. Each is looked at when somebody comes to it, and so is what it was started
// with: a hook's client is near, and what is above that is mostly of no interest.
type upward struct {
	list    []Process
	next    int                           // the one behind the list, 0 where that ends
	look    func(id int) (Process, bool)  // what takes least
	args    func(id int) (args []string)  // nil where look tells them
	environ func(id int) (value []string) // nil where nobody does, or the list has them
}

// id is that of the process that is so far up, 0 where there is none. The nearest one's is known without a look.
func (u *upward) id(i int) int {
	if p := u.at(i - 1); i > 0 && p == nil {
		return 0
	}
	if i < len(u.list) {
		return u.list[i].ID
	}
	return u.next
}

// at is the process that is so far up, nil where there is none.
func (u *upward) at(i int) *Process {
	for len(u.list) <= i && u.next > 0 {
		p, ok := u.look(u.next)
		if !ok {
			u.next = 0
			break
		}
		u.list = append(u.list, p)
		if u.next = p.Parent; p.Parent == p.ID || len(u.list) == most { // its own parent, as ids that are used again can be
			u.next = 0
		}
	}
	if i < 0 || i >= len(u.list) {
		return nil
	}
	return &u.list[i]
}

// all are the processes up to the first of the system, or to the bound.
func (u *upward) all() []Process {
	u.at(most)
	return u.list
}

// is reports that the process so far up is one of some programs. Its name says so, mostly.
func (u *upward) is(i int, names, hosts []string) bool {
	p := u.at(i)
	if p.Args == nil && u.args != nil && !p.is(names, hosts) {
		p.Args = u.args(p.ID)
	}
	return p.is(names, hosts)
}

// began are the variables that the process so far up was started with, nil where the system does not tell.
func (u *upward) began(i int) []string {
	if u.environ != nil {
		return u.environ(u.id(i))
	}
	if p := u.at(i); p != nil {
		return p.Environ
	}
	return nil
}
