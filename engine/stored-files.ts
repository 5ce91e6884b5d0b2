/**
 * Owns: what an application offers for files over HTTP; a part of application.ts.
 * Not: HTTP itself (server/file-routes.ts), ctx.storage (functions/syscalls/files.ts).
 */

export type OpenedFile = {
  readonly size: number;
  /** Base64. */
  readonly sha256: string;
  readonly contentType: string | null;
  /** The bytes of [start, end), a piece at a time. Throws a FunctionError when the file is deleted meanwhile. */
  read(start: number, end: number): Iterable<Uint8Array>;
};

export interface StoredFiles {
  /** The component ("" for the app) that the token of an upload URL lets add a file to; null when it does not hold, or no longer. */
  uploadTarget(token: string): Promise<string | null>;
  /** Returns the id, when the file is durable. Throws a FunctionError when the digest (base64) is another, and passes on what reading `bytes` throws; then nothing is stored. */
  store(
    componentPath: string,
    bytes: AsyncIterable<Uint8Array>,
    wanted: { readonly contentType: string | null; readonly sha256: string | null },
  ): Promise<string>;
  /** By the name in its address. Null when there is no such file. */
  open(componentPath: string, name: string): Promise<OpenedFile | null>;
}
