/** Owns: /help, the guided set-up of a site: which steps there are, and for which site. Not: any one step. */
import { client, httpActionsUrl } from "../site/backend.ts";
import { usePageTitle } from "../site/usePageTitle.ts";
import "../site/prose.css";
import { useReaderArguments } from "../stats/readerToken.ts";
import { useStats } from "../stats/useStats.ts";
import { siteUrlOf } from "../tracking/leave-beacon.ts";
import { useWatching } from "../tracking/watching.ts";
import { AddressStep } from "./AddressStep.tsx";
import "./help.css";
import { MountStep } from "./MountStep.tsx";
import { PolicyStep } from "./PolicyStep.tsx";
import { ScriptStep } from "./ScriptStep.tsx";
import { texts } from "./texts.ts";
import { ViewStep } from "./ViewStep.tsx";

/** Where pages of any site reach the script and the collector. */
const origin = (httpActionsUrl ?? siteUrlOf(client.url)).replace(/\/+$/, "");

export default function HelpPage() {
  const reader = useReaderArguments();
  useWatching(reader);
  usePageTitle(texts.title);
  const answer = useStats();
  const { site } = reader;
  return (
    <div className="help prose">
      <h1 className="page-title">{texts.title}</h1>
      <p className="quiet">
        {texts.lead} {site !== undefined && texts.ofSite(site)}
      </p>
      <ol className="help-steps">
        <ScriptStep origin={origin} site={site} />
        <ViewStep answer={answer} isOwnSite={site === undefined} />
        <AddressStep origin={origin} />
        <PolicyStep origin={origin} />
        <MountStep key={site ?? ""} reader={reader} />
      </ol>
    </div>
  );
}
