/**
 * Owns: the table of system queries: which name answers what. Only an admin can call them (application.ts).
 * Not: what they read (table-queries.ts, deployment-queries.ts).
 */
import type { Application, SystemQuery } from "../application.ts";
import {
  apiSpec,
  components,
  environmentVariable,
  environmentVariables,
} from "./deployment-queries.ts";
import { queryTable, tableData, tables, tableSize } from "./table-queries.ts";

/** Where this deployment is reached; what `npx convex function-spec` prints. */
export type DeploymentUrls = { readonly cloudUrl: string; readonly siteUrl: string };

export function registerSystemQueries(application: Application, urls: DeploymentUrls): void {
  const queries: Readonly<Record<string, SystemQuery>> = {
    "_system/cli/tables:default": tables,
    "_system/cli/tableData:default": tableData,
    "_system/cli/tableSize:default": tableSize,
    "_system/cli/queryTable:default": queryTable,
    "_system/cli/queryEnvironmentVariables:default": environmentVariables,
    "_system/cli/queryEnvironmentVariables:get": environmentVariable,
    "_system/cli/modules:apiSpec": apiSpec,
    "_system/cli/convexUrl:cloudUrl": () => JSON.stringify(urls.cloudUrl),
    "_system/cli/convexUrl:siteUrl": () => JSON.stringify(urls.siteUrl),
    "_system/frontend/components:list": components,
  };
  for (const [path, query] of Object.entries(queries)) application.registerSystemQuery(path, query);
}
