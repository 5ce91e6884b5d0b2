/** Owns: the fields that a failed MutationResponse and a failed ActionResponse share. */

export type FailureOnWire = {
  readonly ok: false;
  readonly errorMessage: string;
  /** JSON text of a ConvexError's data. */
  readonly errorDataJson: string | null;
  readonly logLines: readonly string[];
};

export function encodeFailure({ errorMessage, errorDataJson, logLines }: FailureOnWire): string {
  const errorData = errorDataJson === null ? "" : `,"errorData":${errorDataJson}`;
  return `"success":false,"result":${JSON.stringify(errorMessage)},"logLines":${JSON.stringify(logLines)}${errorData}`;
}
