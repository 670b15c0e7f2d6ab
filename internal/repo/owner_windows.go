package repo

import "golang.org/x/sys/windows"

// deviceOf is not asked on Windows: git does not stop at volumes there either,
// since a path never leaves its volume on the way up.
func deviceOf(string) (uint64, bool) { return 0, false }

// ownedByUser compares the owner of each path with the user of this process. The
// Administrators group owns what an elevated member creates, so it counts too.
func ownedByUser(paths ...string) bool {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return false
	}
	admins, err := windows.CreateWellKnownSid(windows.WinBuiltinAdministratorsSid)
	if err != nil {
		return false
	}
	for _, p := range paths {
		if p == "" {
			continue
		}
		sd, err := windows.GetNamedSecurityInfo(p, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
		if err != nil {
			return false
		}
		owner, _, err := sd.Owner()
		if err != nil || owner == nil {
			return false
		}
		if !owner.Equals(user.User.Sid) && !(owner.Equals(admins) && isMember(admins)) {
			return false
		}
	}
	return true
}

func isMember(group *windows.SID) bool {
	in, err := windows.Token(0).IsMember(group)
	return err == nil && in
}
