import { expect, test } from "vitest";
import { isFile } from "./downloads.ts";
import { addressOf } from "./links.ts";
import { isOwnHost } from "./outbound.ts";
import { propertiesOf } from "./tagged.ts";

test.each([
  ["blog.example", true],
  ["www.blog.example", true],
  ["shop.example", true],
  ["www.docs.example", true],
  ["blog.example:8080", false],
  ["notblog.example", false],
  ["blog.example.evil.example", false],
  ["other.example", false],
])("of a page on www.blog.example with two hosts more, %s is own: %s", (host, isOwn) => {
  expect(isOwnHost(host, "www.blog.example", "shop.example docs.example")).toBe(isOwn);
});

test.each([
  ["/a/report.pdf", true],
  ["/A.ZIP", true],
  ["/data.tar.gz", true],
  ["/music.mp3", true],
  ["/pdf", false],
  ["/about.html", false],
  ["/report.pdf/view", false],
  ["/", false],
])("a link to %s is one to a file: %s", (pathname, is) => {
  expect(isFile({ pathname })).toBe(is);
});

test("an address is said without what may name a person or hold a key", () => {
  const address = new URL("https://me:secret@other.example:444/a/b?token=1#part");
  expect(addressOf(address)).toBe("https://other.example:444/a/b");
});

test("the properties of a tagged element are its other attributes of that kind, and no others", () => {
  const attributes = [
    { name: "class", value: "button" },
    { name: "data-footfall-event", value: "Signup" },
    { name: "data-footfall-plan", value: "pro" },
    { name: "data-footfall-__proto__", value: "x" },
    { name: "data-plan", value: "not this one" },
  ];
  const properties = propertiesOf(attributes);
  expect(Object.entries(properties)).toEqual([
    ["plan", "pro"],
    ["__proto__", "x"],
  ]);
});
