[inputs: ["lib/**/*.ex"]]
