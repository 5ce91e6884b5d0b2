/**
 * Owns: what /stats asks Convex for, and that it says that somebody watches.
 * Not: how the answers look (StatsSheet.tsx).
 */
import { useMutation } from "convex/react";
import { useEffect, useState } from "react";
import { api } from "../../convex/_generated/api.js";
import { useConnection } from "../shared/connection.ts";
import { StatsSheet } from "./StatsSheet.tsx";
import "./stats.css";
import { texts } from "./texts.ts";
import { useReaderArguments } from "./readerToken.ts";
import { useHealth } from "./useHealth.ts";
import { useStats } from "./useStats.ts";
import { createWatcherId, startWatching } from "./watching.ts";

function useWatching(): void {
  const watch = useMutation(api.stats.watch);
  const [watcherId] = useState(createWatcherId);
  const reader = useReaderArguments();
  useEffect(
    () =>
      startWatching({
        beat: () => watch({ ...reader, watcherId }),
        isVisible: () => document.visibilityState === "visible",
        onVisibility: (listener) => {
          document.addEventListener("visibilitychange", listener);
          return () => document.removeEventListener("visibilitychange", listener);
        },
        onFailure: (failure) => console.warn("Footfall: the watch beat was refused.", failure),
      }),
    [watch, reader, watcherId],
  );
}

export default function StatsPage() {
  useWatching();
  const connection = useConnection();
  const answer = useStats();
  const health = useHealth();
  useEffect(() => {
    document.title = `${texts.tabTitle} · Footfall`;
  }, []);
  return <StatsSheet answer={answer} health={health} connection={connection} />;
}
