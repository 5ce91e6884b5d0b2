/**
 * Owns: pages whose code comes when they are opened, also after the site was built anew in the meantime.
 * Not: what such a page shows.
 */
import { lazy, Suspense, type ComponentType, type ReactNode } from "react";
import { PanelBoundary } from "../shared/PanelBoundary.tsx";
import { claimReload } from "./renewal.ts";
import { Failed } from "./states.tsx";

/** A file that is gone belongs to an older build than the one that is served now: load the page anew, once. */
export function lazyPage<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  return lazy(async () => {
    try {
      return await load();
    } catch (error) {
      if (!claimReload(() => window.sessionStorage, Date.now())) throw error;
      window.location.reload();
      return await new Promise<never>(() => undefined);
    }
  });
}

export function LazyPage({ children }: { children: ReactNode }) {
  return (
    <PanelBoundary fallback={(error) => <Failed error={error} />}>
      <Suspense>{children}</Suspense>
    </PanelBoundary>
  );
}
