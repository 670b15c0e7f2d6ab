document.querySelector("form").addEventListener("submit", () => {});
