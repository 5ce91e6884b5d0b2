/* eslint-disable */
/**
 * Generated `api` utility.
 *
 * THIS CODE IS AUTOMATICALLY GENERATED.
 *
 * To regenerate, run `npx convex dev`.
 * @module
 */

import type * as annotations from "../annotations.js";
import type * as badges from "../badges.js";
import type * as content from "../content.js";
import type * as crons from "../crons.js";
import type * as errors from "../errors.js";
import type * as filters from "../filters.js";
import type * as http from "../http.js";
import type * as keys from "../keys.js";
import type * as model_acceptSettings from "../model/acceptSettings.js";
import type * as model_access from "../model/access.js";
import type * as model_addressHash from "../model/addressHash.js";
import type * as model_admission from "../model/admission.js";
import type * as model_annotations from "../model/annotations.js";
import type * as model_arguments from "../model/arguments.js";
import type * as model_backfill from "../model/backfill.js";
import type * as model_backfillJob from "../model/backfillJob.js";
import type * as model_badge from "../model/badge.js";
import type * as model_bots from "../model/bots.js";
import type * as model_content from "../model/content.js";
import type * as model_contentSync from "../model/contentSync.js";
import type * as model_derivation from "../model/derivation.js";
import type * as model_doorRules from "../model/doorRules.js";
import type * as model_engagement_comparing from "../model/engagement/comparing.js";
import type * as model_engagement_log from "../model/engagement/log.js";
import type * as model_engagement_past from "../model/engagement/past.js";
import type * as model_engagement_recording from "../model/engagement/recording.js";
import type * as model_engagement_recovery from "../model/engagement/recovery.js";
import type * as model_engagement_reports from "../model/engagement/reports.js";
import type * as model_engagement_retention from "../model/engagement/retention.js";
import type * as model_engagement_roll from "../model/engagement/roll.js";
import type * as model_engagement_rolling from "../model/engagement/rolling.js";
import type * as model_engagement_shapes from "../model/engagement/shapes.js";
import type * as model_engagement_staging from "../model/engagement/staging.js";
import type * as model_engagement_store from "../model/engagement/store.js";
import type * as model_engagement_views from "../model/engagement/views.js";
import type * as model_events_accept from "../model/events/accept.js";
import type * as model_events_drain from "../model/events/drain.js";
import type * as model_events_log from "../model/events/log.js";
import type * as model_events_logged from "../model/events/logged.js";
import type * as model_events_record from "../model/events/record.js";
import type * as model_events_recount from "../model/events/recount.js";
import type * as model_events_restore from "../model/events/restore.js";
import type * as model_events_retention from "../model/events/retention.js";
import type * as model_filtered from "../model/filtered.js";
import type * as model_filters_answering from "../model/filters/answering.js";
import type * as model_filters_asking from "../model/filters/asking.js";
import type * as model_filters_catchingUp from "../model/filters/catchingUp.js";
import type * as model_filters_counting from "../model/filters/counting.js";
import type * as model_filters_lookback from "../model/filters/lookback.js";
import type * as model_filters_meeting from "../model/filters/meeting.js";
import type * as model_filters_owner from "../model/filters/owner.js";
import type * as model_filters_scanning from "../model/filters/scanning.js";
import type * as model_filters_segments from "../model/filters/segments.js";
import type * as model_filters_shapes from "../model/filters/shapes.js";
import type * as model_filters_shared from "../model/filters/shared.js";
import type * as model_filters_store from "../model/filters/store.js";
import type * as model_filters_work from "../model/filters/work.js";
import type * as model_halving from "../model/halving.js";
import type * as model_headline from "../model/headline.js";
import type * as model_health from "../model/health.js";
import type * as model_history from "../model/history.js";
import type * as model_hosts from "../model/hosts.js";
import type * as model_identity from "../model/identity.js";
import type * as model_keys from "../model/keys.js";
import type * as model_limits from "../model/limits.js";
import type * as model_log from "../model/log.js";
import type * as model_movements from "../model/movements.js";
import type * as model_nobody from "../model/nobody.js";
import type * as model_online from "../model/online.js";
import type * as model_panels from "../model/panels.js";
import type * as model_passwords from "../model/passwords.js";
import type * as model_past_actions from "../model/past/actions.js";
import type * as model_past_aggregates from "../model/past/aggregates.js";
import type * as model_past_asking from "../model/past/asking.js";
import type * as model_past_comparing from "../model/past/comparing.js";
import type * as model_past_counts from "../model/past/counts.js";
import type * as model_past_days from "../model/past/days.js";
import type * as model_past_forgetting from "../model/past/forgetting.js";
import type * as model_past_jobs from "../model/past/jobs.js";
import type * as model_past_late from "../model/past/late.js";
import type * as model_past_lineage from "../model/past/lineage.js";
import type * as model_past_months from "../model/past/months.js";
import type * as model_past_proving from "../model/past/proving.js";
import type * as model_past_publishing from "../model/past/publishing.js";
import type * as model_past_recount from "../model/past/recount.js";
import type * as model_past_removed from "../model/past/removed.js";
import type * as model_past_replacing from "../model/past/replacing.js";
import type * as model_past_retention from "../model/past/retention.js";
import type * as model_past_sealing from "../model/past/sealing.js";
import type * as model_past_staging from "../model/past/staging.js";
import type * as model_past_tasks from "../model/past/tasks.js";
import type * as model_past_totals from "../model/past/totals.js";
import type * as model_past_work from "../model/past/work.js";
import type * as model_pathRules from "../model/pathRules.js";
import type * as model_paths from "../model/paths.js";
import type * as model_presence from "../model/presence.js";
import type * as model_putAside from "../model/putAside.js";
import type * as model_quarantine from "../model/quarantine.js";
import type * as model_ranking from "../model/ranking.js";
import type * as model_readings_period from "../model/readings/period.js";
import type * as model_readings_request from "../model/readings/request.js";
import type * as model_readings_serve from "../model/readings/serve.js";
import type * as model_readings_shapes from "../model/readings/shapes.js";
import type * as model_received_answers from "../model/received/answers.js";
import type * as model_received_beacon from "../model/received/beacon.js";
import type * as model_received_events from "../model/received/events.js";
import type * as model_received_fields from "../model/received/fields.js";
import type * as model_received_hits from "../model/received/hits.js";
import type * as model_received_sender from "../model/received/sender.js";
import type * as model_recovery from "../model/recovery.js";
import type * as model_removal from "../model/removal.js";
import type * as model_reports_events from "../model/reports/events.js";
import type * as model_reports_measured from "../model/reports/measured.js";
import type * as model_reports_range from "../model/reports/range.js";
import type * as model_reports_reading from "../model/reports/reading.js";
import type * as model_reports_reports from "../model/reports/reports.js";
import type * as model_reports_series from "../model/reports/series.js";
import type * as model_reports_shapes from "../model/reports/shapes.js";
import type * as model_rollups_logged from "../model/rollups/logged.js";
import type * as model_rollups_roll from "../model/rollups/roll.js";
import type * as model_rollups_rolling from "../model/rollups/rolling.js";
import type * as model_rollups_sealed from "../model/rollups/sealed.js";
import type * as model_rollups_store from "../model/rollups/store.js";
import type * as model_routing from "../model/routing.js";
import type * as model_salts from "../model/salts.js";
import type * as model_scheduled from "../model/scheduled.js";
import type * as model_script from "../model/script.js";
import type * as model_secrets from "../model/secrets.js";
import type * as model_sessions from "../model/sessions.js";
import type * as model_settings from "../model/settings.js";
import type * as model_settling from "../model/settling.js";
import type * as model_shapes from "../model/shapes.js";
import type * as model_siteShapes from "../model/siteShapes.js";
import type * as model_siteTables from "../model/siteTables.js";
import type * as model_sites from "../model/sites.js";
import type * as model_size from "../model/size.js";
import type * as model_stats from "../model/stats.js";
import type * as model_strangers from "../model/strangers.js";
import type * as model_sweep from "../model/sweep.js";
import type * as model_tally from "../model/tally.js";
import type * as model_tokens from "../model/tokens.js";
import type * as model_unlocking from "../model/unlocking.js";
import type * as model_unsettled from "../model/unsettled.js";
import type * as model_usage from "../model/usage.js";
import type * as model_verdicts_criteria from "../model/verdicts/criteria.js";
import type * as model_verdicts_dailyCap from "../model/verdicts/dailyCap.js";
import type * as model_verdicts_jobs from "../model/verdicts/jobs.js";
import type * as model_verdicts_leaving from "../model/verdicts/leaving.js";
import type * as model_verdicts_restoring from "../model/verdicts/restoring.js";
import type * as model_verdicts_steps from "../model/verdicts/steps.js";
import type * as model_verdicts_uncounting from "../model/verdicts/uncounting.js";
import type * as model_verdicts_unlinking from "../model/verdicts/unlinking.js";
import type * as model_verdicts_verdictShapes from "../model/verdicts/verdictShapes.js";
import type * as model_verdicts_withdrawing from "../model/verdicts/withdrawing.js";
import type * as model_views from "../model/views.js";
import type * as model_visitorMode from "../model/visitorMode.js";
import type * as model_visitors from "../model/visitors.js";
import type * as model_waking from "../model/waking.js";
import type * as model_watchdog from "../model/watchdog.js";
import type * as model_watching from "../model/watching.js";
import type * as model_worker from "../model/worker.js";
import type * as model_zoneChange from "../model/zoneChange.js";
import type * as now from "../now.js";
import type * as operators from "../operators.js";
import type * as past from "../past.js";
import type * as questions from "../questions.js";
import type * as readers from "../readers.js";
import type * as readings from "../readings.js";
import type * as received from "../received.js";
import type * as reports from "../reports.js";
import type * as salts from "../salts.js";
import type * as segments from "../segments.js";
import type * as sites from "../sites.js";
import type * as stats from "../stats.js";
import type * as tokens from "../tokens.js";
import type * as verdicts from "../verdicts.js";
import type * as worker from "../worker.js";

import type {
  ApiFromModules,
  FilterApi,
  FunctionReference,
} from "convex/server";

declare const fullApi: ApiFromModules<{
  annotations: typeof annotations;
  badges: typeof badges;
  content: typeof content;
  crons: typeof crons;
  errors: typeof errors;
  filters: typeof filters;
  http: typeof http;
  keys: typeof keys;
  "model/acceptSettings": typeof model_acceptSettings;
  "model/access": typeof model_access;
  "model/addressHash": typeof model_addressHash;
  "model/admission": typeof model_admission;
  "model/annotations": typeof model_annotations;
  "model/arguments": typeof model_arguments;
  "model/backfill": typeof model_backfill;
  "model/backfillJob": typeof model_backfillJob;
  "model/badge": typeof model_badge;
  "model/bots": typeof model_bots;
  "model/content": typeof model_content;
  "model/contentSync": typeof model_contentSync;
  "model/derivation": typeof model_derivation;
  "model/doorRules": typeof model_doorRules;
  "model/engagement/comparing": typeof model_engagement_comparing;
  "model/engagement/log": typeof model_engagement_log;
  "model/engagement/past": typeof model_engagement_past;
  "model/engagement/recording": typeof model_engagement_recording;
  "model/engagement/recovery": typeof model_engagement_recovery;
  "model/engagement/reports": typeof model_engagement_reports;
  "model/engagement/retention": typeof model_engagement_retention;
  "model/engagement/roll": typeof model_engagement_roll;
  "model/engagement/rolling": typeof model_engagement_rolling;
  "model/engagement/shapes": typeof model_engagement_shapes;
  "model/engagement/staging": typeof model_engagement_staging;
  "model/engagement/store": typeof model_engagement_store;
  "model/engagement/views": typeof model_engagement_views;
  "model/events/accept": typeof model_events_accept;
  "model/events/drain": typeof model_events_drain;
  "model/events/log": typeof model_events_log;
  "model/events/logged": typeof model_events_logged;
  "model/events/record": typeof model_events_record;
  "model/events/recount": typeof model_events_recount;
  "model/events/restore": typeof model_events_restore;
  "model/events/retention": typeof model_events_retention;
  "model/filtered": typeof model_filtered;
  "model/filters/answering": typeof model_filters_answering;
  "model/filters/asking": typeof model_filters_asking;
  "model/filters/catchingUp": typeof model_filters_catchingUp;
  "model/filters/counting": typeof model_filters_counting;
  "model/filters/lookback": typeof model_filters_lookback;
  "model/filters/meeting": typeof model_filters_meeting;
  "model/filters/owner": typeof model_filters_owner;
  "model/filters/scanning": typeof model_filters_scanning;
  "model/filters/segments": typeof model_filters_segments;
  "model/filters/shapes": typeof model_filters_shapes;
  "model/filters/shared": typeof model_filters_shared;
  "model/filters/store": typeof model_filters_store;
  "model/filters/work": typeof model_filters_work;
  "model/halving": typeof model_halving;
  "model/headline": typeof model_headline;
  "model/health": typeof model_health;
  "model/history": typeof model_history;
  "model/hosts": typeof model_hosts;
  "model/identity": typeof model_identity;
  "model/keys": typeof model_keys;
  "model/limits": typeof model_limits;
  "model/log": typeof model_log;
  "model/movements": typeof model_movements;
  "model/nobody": typeof model_nobody;
  "model/online": typeof model_online;
  "model/panels": typeof model_panels;
  "model/passwords": typeof model_passwords;
  "model/past/actions": typeof model_past_actions;
  "model/past/aggregates": typeof model_past_aggregates;
  "model/past/asking": typeof model_past_asking;
  "model/past/comparing": typeof model_past_comparing;
  "model/past/counts": typeof model_past_counts;
  "model/past/days": typeof model_past_days;
  "model/past/forgetting": typeof model_past_forgetting;
  "model/past/jobs": typeof model_past_jobs;
  "model/past/late": typeof model_past_late;
  "model/past/lineage": typeof model_past_lineage;
  "model/past/months": typeof model_past_months;
  "model/past/proving": typeof model_past_proving;
  "model/past/publishing": typeof model_past_publishing;
  "model/past/recount": typeof model_past_recount;
  "model/past/removed": typeof model_past_removed;
  "model/past/replacing": typeof model_past_replacing;
  "model/past/retention": typeof model_past_retention;
  "model/past/sealing": typeof model_past_sealing;
  "model/past/staging": typeof model_past_staging;
  "model/past/tasks": typeof model_past_tasks;
  "model/past/totals": typeof model_past_totals;
  "model/past/work": typeof model_past_work;
  "model/pathRules": typeof model_pathRules;
  "model/paths": typeof model_paths;
  "model/presence": typeof model_presence;
  "model/putAside": typeof model_putAside;
  "model/quarantine": typeof model_quarantine;
  "model/ranking": typeof model_ranking;
  "model/readings/period": typeof model_readings_period;
  "model/readings/request": typeof model_readings_request;
  "model/readings/serve": typeof model_readings_serve;
  "model/readings/shapes": typeof model_readings_shapes;
  "model/received/answers": typeof model_received_answers;
  "model/received/beacon": typeof model_received_beacon;
  "model/received/events": typeof model_received_events;
  "model/received/fields": typeof model_received_fields;
  "model/received/hits": typeof model_received_hits;
  "model/received/sender": typeof model_received_sender;
  "model/recovery": typeof model_recovery;
  "model/removal": typeof model_removal;
  "model/reports/events": typeof model_reports_events;
  "model/reports/measured": typeof model_reports_measured;
  "model/reports/range": typeof model_reports_range;
  "model/reports/reading": typeof model_reports_reading;
  "model/reports/reports": typeof model_reports_reports;
  "model/reports/series": typeof model_reports_series;
  "model/reports/shapes": typeof model_reports_shapes;
  "model/rollups/logged": typeof model_rollups_logged;
  "model/rollups/roll": typeof model_rollups_roll;
  "model/rollups/rolling": typeof model_rollups_rolling;
  "model/rollups/sealed": typeof model_rollups_sealed;
  "model/rollups/store": typeof model_rollups_store;
  "model/routing": typeof model_routing;
  "model/salts": typeof model_salts;
  "model/scheduled": typeof model_scheduled;
  "model/script": typeof model_script;
  "model/secrets": typeof model_secrets;
  "model/sessions": typeof model_sessions;
  "model/settings": typeof model_settings;
  "model/settling": typeof model_settling;
  "model/shapes": typeof model_shapes;
  "model/siteShapes": typeof model_siteShapes;
  "model/siteTables": typeof model_siteTables;
  "model/sites": typeof model_sites;
  "model/size": typeof model_size;
  "model/stats": typeof model_stats;
  "model/strangers": typeof model_strangers;
  "model/sweep": typeof model_sweep;
  "model/tally": typeof model_tally;
  "model/tokens": typeof model_tokens;
  "model/unlocking": typeof model_unlocking;
  "model/unsettled": typeof model_unsettled;
  "model/usage": typeof model_usage;
  "model/verdicts/criteria": typeof model_verdicts_criteria;
  "model/verdicts/dailyCap": typeof model_verdicts_dailyCap;
  "model/verdicts/jobs": typeof model_verdicts_jobs;
  "model/verdicts/leaving": typeof model_verdicts_leaving;
  "model/verdicts/restoring": typeof model_verdicts_restoring;
  "model/verdicts/steps": typeof model_verdicts_steps;
  "model/verdicts/uncounting": typeof model_verdicts_uncounting;
  "model/verdicts/unlinking": typeof model_verdicts_unlinking;
  "model/verdicts/verdictShapes": typeof model_verdicts_verdictShapes;
  "model/verdicts/withdrawing": typeof model_verdicts_withdrawing;
  "model/views": typeof model_views;
  "model/visitorMode": typeof model_visitorMode;
  "model/visitors": typeof model_visitors;
  "model/waking": typeof model_waking;
  "model/watchdog": typeof model_watchdog;
  "model/watching": typeof model_watching;
  "model/worker": typeof model_worker;
  "model/zoneChange": typeof model_zoneChange;
  now: typeof now;
  operators: typeof operators;
  past: typeof past;
  questions: typeof questions;
  readers: typeof readers;
  readings: typeof readings;
  received: typeof received;
  reports: typeof reports;
  salts: typeof salts;
  segments: typeof segments;
  sites: typeof sites;
  stats: typeof stats;
  tokens: typeof tokens;
  verdicts: typeof verdicts;
  worker: typeof worker;
}>;

/**
 * A utility for referencing Convex functions in your app's public API.
 *
 * Usage:
 * ```js
 * const myFunctionReference = api.myModule.myFunction;
 * ```
 */
export declare const api: FilterApi<
  typeof fullApi,
  FunctionReference<any, "public">
>;

/**
 * A utility for referencing Convex functions in your app's internal API.
 *
 * Usage:
 * ```js
 * const myFunctionReference = internal.myModule.myFunction;
 * ```
 */
export declare const internal: FilterApi<
  typeof fullApi,
  FunctionReference<any, "internal">
>;

export declare const components: {
  totalPageViews: import("@convex-dev/aggregate/_generated/component.js").ComponentApi<"totalPageViews">;
  pageViewsByPath: import("@convex-dev/aggregate/_generated/component.js").ComponentApi<"pageViewsByPath">;
  uniqueVisitors: import("@convex-dev/aggregate/_generated/component.js").ComponentApi<"uniqueVisitors">;
  rateLimiter: import("@convex-dev/rate-limiter/_generated/component.js").ComponentApi<"rateLimiter">;
};
