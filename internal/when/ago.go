package when

import (
	"fmt"
	"time"
)

// Ago is a length of time in the largest unit that fits.
func Ago(d time.Duration) string {
	n, unit := int(d.Hours()/24), "day"
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		n, unit = int(d.Minutes()), "minute"
	case d < 48*time.Hour:
		n, unit = int(d.Hours()), "hour"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s ago", n, unit)
}
