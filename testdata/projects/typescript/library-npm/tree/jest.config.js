export default { testEnvironment: "node" };
