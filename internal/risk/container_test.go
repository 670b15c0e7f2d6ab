package risk

import "testing"

// A container changes this machine where it is given folders of it, and nowhere else.
func TestContainers(t *testing.T) {
	set := NewSet(builtin(t))
	for _, c := range []struct {
		line string
		want Action
	}{
		{"docker run --rm alpine rm -rf /data", Allow},
		{`docker run --rm -v "$PWD":/w -w /w alpine sh -c 'rm -rf dist && ls'`, Allow},
		{`docker run --rm -v "$PWD":/w alpine rm -rf /data`, Allow},
		{`docker run --rm -v "$PWD":/w -w /w alpine rm -rf src`, Checkpoint},
		{`docker run --rm -v "$PWD":/w alpine sh -c 'cd /w && rm -rf src'`, Checkpoint},
		{"docker run --rm -v $(pwd)/src:/w alpine rm -rf /w/lib", Checkpoint},
		{"docker run --rm -v ./src:/w alpine rm -rf /w/lib", Checkpoint},
		{`docker run --rm --mount type=bind,source="$PWD",target=/w alpine rm -rf /w/src`, Checkpoint},
		{`docker run --rm -v "$PWD":/w:ro alpine rm -rf /w/src`, Allow},
		{`docker run --rm -v "$PWD":/w alpine rm -rf /w`, Ask},
		{`docker run --rm -v "$PWD":/w alpine rm -rf /`, Ask},
		{`docker run --rm -v "$PWD":/w alpine sh -c 'rm -rf /*'`, Ask},
		{`docker run --rm -v "$PWD":/w alpine rm -rf /w/.git`, Deny},
		{`docker run --rm -v "$HOME":/h alpine rm -rf /h/Documents`, Ask},
		{"docker run --rm -v ~/.ssh:/root/.ssh:ro alpine cat /root/.ssh/id_rsa", Ask},
		{"docker run --rm -v=/home:/h alpine rm -rf /h/dev", Deny},
		{"docker run --rm -v /:/h alpine chroot /h rm -rf /etc", Deny},
		{"docker run --rm -v data:/data alpine rm -rf /data/x", Ask}, // a volume outlives it
		{`docker run --rm -v "$PWD":/w alpine rm -rf src`, Ask},      // the image says where that is
		{`docker run --rm -v "$X":/w alpine rm -rf /w/src`, Ask},
		{`ssh host docker run --rm -v "$PWD":/w alpine rm -rf /w/src`, Ask},
	} {
		if v := check(t, set, nil, c.line); v.Action != c.want {
			t.Errorf("Check(%s) = %s %v, want %s", c.line, v.Action, v.IDs(), c.want)
		}
	}
}
