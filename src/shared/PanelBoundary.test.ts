import { expect, test } from "vitest";
import { PanelBoundary } from "./PanelBoundary.tsx";

const asked = (resetOn: string) => ({ children: null, fallback: () => null, resetOn });

test("a failure stays for as long as the same is asked, and is none of what is asked next", () => {
  const failed = {
    ...{ error: null, askedOn: "28 days" },
    ...PanelBoundary.getDerivedStateFromError(new Error("refused")),
  };
  expect(failed.error?.message).toBe("refused");
  expect(PanelBoundary.getDerivedStateFromProps(asked("28 days"), failed)).toBeNull();
  expect(PanelBoundary.getDerivedStateFromProps(asked("7 days"), failed)).toEqual({
    ...{ error: null, askedOn: "7 days" },
  });
});

test("what is thrown and is no error becomes one", () => {
  expect(PanelBoundary.getDerivedStateFromError("no").error?.message).toBe("no");
});
