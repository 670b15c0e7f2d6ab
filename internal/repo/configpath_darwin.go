package repo

// systemConfigs: Apple's git, then Homebrew's on both processor families.
func systemConfigs() []string {
	return []string{
		"/Library/Developer/CommandLineTools/usr/share/git-core/gitconfig",
		"/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig",
	}
}
