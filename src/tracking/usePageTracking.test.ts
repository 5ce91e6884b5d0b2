import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { Footfall, usePageTracking } from "./index.ts";

test("a page that is rendered on a server, without a client or a browser, is left alone", () => {
  function Page() {
    usePageTracking({ pageType: "page" });
    return "text";
  }
  expect(renderToString(createElement(Page))).toBe("text");
  expect(renderToString(createElement(Footfall))).toBe("");
});
