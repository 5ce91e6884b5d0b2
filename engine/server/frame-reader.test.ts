import { expect, test } from "vitest";
import { MAX_UNREAD_CHARACTERS, readFrames } from "./frame-reader.ts";

function pausableSource() {
  let listener: (data: Buffer) => void = () => undefined;
  return {
    isPaused: false,
    on(_event: "message", heard: (data: Buffer) => void) {
      listener = heard;
    },
    pause() {
      this.isPaused = true;
    },
    resume() {
      this.isPaused = false;
    },
    arrive: (text: string) => listener(Buffer.from(text)),
  };
}

test("a connection whose frames are not handled yet is not read on, until there is room again", async () => {
  const source = pausableSource();
  const handled: (() => void)[] = [];
  const lengths: number[] = [];
  readFrames(source, (text) => {
    lengths.push(text.length);
    return new Promise((resolve) => handled.push(resolve));
  });
  const half = "x".repeat(MAX_UNREAD_CHARACTERS / 2);
  source.arrive(half);
  source.arrive(half);
  expect(source.isPaused).toBe(false);
  source.arrive("y");
  expect(source.isPaused).toBe(true);
  handled[0]?.();
  await Promise.resolve();
  expect(source.isPaused).toBe(false);
  expect(lengths).toEqual([half.length, half.length, 1]);
});
