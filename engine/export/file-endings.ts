/** Owns: the ending of a stored file's name in a snapshot, so that people can open it. Nothing reads it. */

const ENDINGS: Readonly<Record<string, string>> = {
  "application/gzip": ".gz",
  "application/json": ".json",
  "application/pdf": ".pdf",
  "application/zip": ".zip",
  "audio/mpeg": ".mp3",
  "audio/wav": ".wav",
  "image/avif": ".avif",
  "image/gif": ".gif",
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/svg+xml": ".svg",
  "image/webp": ".webp",
  "text/css": ".css",
  "text/csv": ".csv",
  "text/html": ".html",
  "text/javascript": ".js",
  "text/markdown": ".md",
  "text/plain": ".txt",
  "video/mp4": ".mp4",
  "video/webm": ".webm",
};

/** "" where the type does not tell one. */
export function endingOf(contentType: string | null): string {
  const essence = (contentType?.split(";")[0] ?? "").trim().toLowerCase();
  return ENDINGS[essence] ?? "";
}
