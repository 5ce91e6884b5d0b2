// Runs before the first paint, so that a remembered theme does not flash. Its key is the one of src/site/theme.ts.
try {
  const remembered = localStorage.getItem("footfall_theme");
  if (remembered === "light" || remembered === "dark") {
    document.documentElement.dataset.theme = remembered;
  }
} catch (error) {
  console.debug("Footfall: this browser keeps no storage, so the theme follows the system.", error);
}
