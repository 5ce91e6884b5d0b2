import { expect, test } from "vitest";
import { createSurroundings } from "./surroundings.ts";

function createWorld(referrer: string) {
  return {
    document: { referrer },
    location: { origin: "https://site.example", host: "site.example", search: "?utm_source=x" },
    window: { innerWidth: 390 },
    navigator: { language: "es-ES" },
    timeZone: () => "Europe/Madrid",
  };
}

test("C29: the first view of a page load names its referrer, and the routes after it the site itself", () => {
  const read = createSurroundings(createWorld("https://news.example/"));
  expect(read().referrer).toBe("https://news.example/");
  for (let route = 0; route < 20; route += 1) expect(read().referrer).toBe("https://site.example/");
});

test("a view says what the browser is set to at that moment, and leaves out what is empty", () => {
  const world = createWorld("");
  const read = createSurroundings(world);
  expect(read()).toEqual({
    query: "?utm_source=x",
    host: "site.example",
    screenWidth: 390,
    language: "es-ES",
    timeZone: "Europe/Madrid",
  });
  world.location.search = "";
  world.window.innerWidth = 1_200;
  expect(read()).toMatchObject({ screenWidth: 1_200 });
  expect(read()).not.toHaveProperty("query");
});

test("a query of any length stays small", () => {
  const world = createWorld("");
  world.location.search = `?${"q=1&".repeat(5_000)}`;
  expect(createSurroundings(world)().query).toHaveLength(2_048);
});

test("a view says that its reader asks not to be tracked, and else nothing of it", () => {
  const world = createWorld("");
  expect(createSurroundings(world)()).not.toHaveProperty("isPrivate");
  const navigator = { ...world.navigator, globalPrivacyControl: true };
  expect(createSurroundings({ ...world, navigator })()).toMatchObject({ isPrivate: true });
});
