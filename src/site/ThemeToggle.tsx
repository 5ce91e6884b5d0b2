/** Owns: the button that switches between light and dark. Not: remembering the choice (theme.ts). */
import { texts } from "./texts.ts";
import { useTheme } from "./theme.ts";

export function ThemeToggle() {
  const { theme, switchTheme } = useTheme();
  const label = theme === "dark" ? texts.theme.toLight : texts.theme.toDark;
  return (
    <button
      type="button"
      className="icon-button"
      onClick={switchTheme}
      aria-label={label}
      title={label}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M8 2a6 6 0 0 1 0 12z" fill="currentColor" />
      </svg>
    </button>
  );
}
