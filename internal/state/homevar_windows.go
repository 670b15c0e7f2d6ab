package state

// HomeVariable is the variable that names the home folder.
const HomeVariable = "USERPROFILE"
