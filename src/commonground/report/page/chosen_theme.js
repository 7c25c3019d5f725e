// The theme that the reader has chosen before, set before anything is drawn.

try {
  const theme = localStorage.getItem("commonground-theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
} catch {
  // no storage for this page
}
