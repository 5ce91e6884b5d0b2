/**
 * Owns: what /stats asks Convex for, and that it says that somebody watches.
 * Not: how the answers look (StatsSheet.tsx).
 */
import { useEffect } from "react";
import { useConnection } from "../shared/connection.ts";
import { useWatching } from "../tracking/watching.ts";
import { StatsSheet } from "./StatsSheet.tsx";
import "./stats.css";
import { texts } from "./texts.ts";
import { useReaderArguments } from "./readerToken.ts";
import { useHealth } from "./useHealth.ts";
import { useStats } from "./useStats.ts";

export default function StatsPage() {
  useWatching(useReaderArguments());
  const connection = useConnection();
  const answer = useStats();
  const health = useHealth();
  useEffect(() => {
    document.title = `${texts.tabTitle} · Footfall`;
  }, []);
  return <StatsSheet answer={answer} health={health} connection={connection} />;
}
