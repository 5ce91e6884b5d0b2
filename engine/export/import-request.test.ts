import { expect, test } from "vitest";
import { parseImportRequest } from "./import-request.ts";

const request = { tableName: "notes", mode: "append", format: "jsonLines" };

test("a complete request is read; the app is meant where no component is named", () => {
  expect(parseImportRequest({ uploadToken: "t", import: request })).toEqual({
    uploadToken: "t",
    componentPath: "",
    ...request,
  });
});

test.each([
  [{ import: request }, '"uploadToken" must be a string'],
  [{ uploadToken: "t" }, '"import" must be an object'],
  [{ uploadToken: "t", import: { ...request, mode: "merge" } }, '"import.mode" must be one of'],
  [
    { uploadToken: "t", import: { ...request, tableName: 5 } },
    '"import.tableName" must be a string',
  ],
])("what is malformed is named: %o", (body, sentence) => {
  expect(() => parseImportRequest(body)).toThrow(sentence);
});
