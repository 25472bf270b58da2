// Loaded in <head> without `defer`: the theme must be known before anything is painted.
try {
  const theme = localStorage.getItem("flyball-theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is switched off: the system's theme it is.
}
