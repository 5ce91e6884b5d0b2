/**
 * Owns: taking frames from a connection no faster than they are handled, as while a token is being checked.
 * Not: what is in them (sync/), how large one may be (websocket.ts).
 */
import type { RawData } from "ws";
import { MAX_ARGS_BYTES } from "../limits.ts";

/** UTF-16 units that wait to be handled; beyond this the rest stays with its sender. */
export const MAX_UNREAD_CHARACTERS = 2 * MAX_ARGS_BYTES;

/** What is needed of a WebSocket. */
type FrameSource = {
  on(event: "message", listener: (data: RawData) => void): unknown;
  pause(): void;
  resume(): void;
  readonly isPaused: boolean;
};

/** `handle` resolves when its frame has been handled. */
export function readFrames(source: FrameSource, handle: (text: string) => Promise<void>): void {
  let unread = 0;
  source.on("message", (data) => {
    const text = textOf(data);
    unread += text.length;
    if (unread > MAX_UNREAD_CHARACTERS) source.pause();
    void handle(text).then(() => {
      unread -= text.length;
      if (source.isPaused && unread <= MAX_UNREAD_CHARACTERS) source.resume();
    });
  });
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString("utf8");
  return Buffer.isBuffer(data) ? data.toString("utf8") : Buffer.from(data).toString("utf8");
}
