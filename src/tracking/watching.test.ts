import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WATCH_INTERVAL_MS } from "../../domain/intervals.ts";
import { createWatcherId, startWatching } from "./watching.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function page() {
  let visible = true;
  const listeners = new Set<() => void>();
  const beats = vi.fn(() => Promise.resolve());
  const failures = vi.fn();
  const stop = startWatching({
    beat: beats,
    isVisible: () => visible,
    onVisibility: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onFailure: failures,
  });
  const show = (isVisible: boolean) => {
    visible = isVisible;
    for (const listener of listeners) listener();
  };
  return { beats, failures, stop, show, listeners };
}

test("an open page says at once that it watches, and then once an interval", async () => {
  const { beats } = page();
  expect(beats).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(WATCH_INTERVAL_MS * 3);
  expect(beats).toHaveBeenCalledTimes(4);
});

test("a hidden page is silent, and one that is shown again speaks at once", async () => {
  const { beats, show } = page();
  await vi.advanceTimersByTimeAsync(0);
  show(false);
  await vi.advanceTimersByTimeAsync(WATCH_INTERVAL_MS * 10);
  expect(beats).toHaveBeenCalledTimes(1);
  show(true);
  expect(beats).toHaveBeenCalledTimes(2);
});

test("while a beat does not get through, no further ones queue up behind it", async () => {
  const { beats } = page();
  await vi.advanceTimersByTimeAsync(0);
  beats.mockImplementation(() => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(WATCH_INTERVAL_MS * 100);
  expect(beats).toHaveBeenCalledTimes(2);
});

test("a beat that is refused is reported and does not end the watching", async () => {
  const { beats, failures } = page();
  beats.mockImplementationOnce(() => Promise.reject(new Error("no")));
  await vi.advanceTimersByTimeAsync(WATCH_INTERVAL_MS * 2);
  expect(failures).toHaveBeenCalledTimes(1);
  expect(beats).toHaveBeenCalledTimes(3);
});

test("a page that is left neither beats nor listens any more", async () => {
  const { beats, stop, listeners } = page();
  stop();
  await vi.advanceTimersByTimeAsync(WATCH_INTERVAL_MS * 2);
  expect(beats).toHaveBeenCalledTimes(1);
  expect(listeners.size).toBe(0);
});

test("two tabs have different ids", () => {
  expect(createWatcherId()).not.toBe(createWatcherId());
  expect(createWatcherId()).toMatch(/^[0-9a-f]{32}$/);
});
