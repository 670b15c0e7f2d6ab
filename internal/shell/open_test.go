package shell

import "testing"

// A here-document that is opened at the very end of a line has no body to look at.
func TestOpenAtTheEnd(t *testing.T) {
	for _, line := range []string{"cat <<EOF", "cat <<'EOF'", "cat > .env <<EOF", "cat <<-EOF", "<<X", "cat <<A <<B", "cat <<A\n<<B"} {
		for _, d := range parse(line, Options{Tables: tables, Dir: "/p", Home: "/h"}).Incomplete {
			if d.Reason == Failed {
				t.Errorf("%q: %s %s", line, d.Reason, d.Text)
			}
		}
	}
}
