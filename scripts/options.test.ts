import { expect, test } from "vitest";
import { BadOptions, parseOptions } from "./options.ts";

const parse = (...args: string[]) => parseOptions(args, "/home/ada/site");

test("without options: any free port, this machine only, .footfall/ beside the checkout", () => {
  expect(parse()).toEqual({
    dataFolder: "/home/ada/site/.footfall",
    host: "127.0.0.1",
    port: null,
    engine: {},
    help: false,
  });
});

test("port, data and host are taken, also with an equals sign", () => {
  expect(parse("--port=4000", "--data", "/srv/data", "--host", "0.0.0.0")).toMatchObject({
    port: 4000,
    dataFolder: "/srv/data",
    host: "0.0.0.0",
  });
});

test.each(["65536", "80a", "-1", "3.5", ""])(
  "the port %j is refused with what is wanted",
  (port) => {
    expect(() => parse(`--port=${port}`)).toThrow(BadOptions);
    expect(() => parse(`--port=${port}`)).toThrow("to 65535");
  },
);

test.each([["--prot", "1"], ["start"], ["--port"]])(
  "%s is refused, and the known options are named",
  (...args) => {
    expect(() => parse(...args)).toThrow("Known: --port N, --data DIR, --host H, ");
  },
);

test("what stands in front of the engine is handed on to it, and refused in its words", () => {
  const options = parse(
    "--app-origin",
    "https://stats.example/x",
    "--trusted-proxies=1",
    "--slow-ms=0",
  );
  expect(options.engine).toEqual({
    appOrigin: "https://stats.example",
    trustedProxies: 1,
    slowMs: 0,
  });
  expect(() => parse("--trusted-proxies=many")).toThrow(BadOptions);
  expect(() => parse("--trusted-proxies=many")).toThrow("wanted a whole number from 0 to 10");
});
