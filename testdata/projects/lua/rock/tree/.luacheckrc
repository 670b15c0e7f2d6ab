std = "lua51+busted"
