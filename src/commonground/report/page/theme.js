// Light or dark: as the system has it, until the reader chooses; the choice is kept if it can be.

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function themeButton() {
  const button = document.createElement("button");
  button.type = "button";
  button.id = "theme";
  button.textContent = "Dark";
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem("commonground-theme", theme);
    } catch {
      // it holds as long as the page is open
    }
    show();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
  return button;
}

document.querySelector("header").append(themeButton());
