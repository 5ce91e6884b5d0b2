/**
 * Owns: statistics that were shared, `/share/docs#token=…`, without the site around them, so that another page may show
 * them in a frame; `?theme=light` and `?theme=dark` say how it looks there.
 * Not: what they show (StatsPage.tsx), or who may frame them (engine/server/security-headers.ts).
 */
import { useLayoutEffect } from "react";
import { useSearchParams } from "react-router-dom";
import StatsPage from "./StatsPage.tsx";

export default function SharedStatsPage() {
  const [parameters] = useSearchParams();
  const theme = parameters.get("theme");
  useLayoutEffect(() => {
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  }, [theme]);
  return (
    <main className="shared">
      <StatsPage />
    </main>
  );
}
