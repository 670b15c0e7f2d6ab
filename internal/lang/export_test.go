package lang

// What tests outside of the package, which may use the generated table, need from within.
const SplitFrom = splitFrom

var ManyTracked = manyTracked
