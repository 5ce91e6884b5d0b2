import { expect, test } from "vitest";
import { PanelBoundary } from "./PanelBoundary.tsx";

const { getDerivedStateFromError, getDerivedStateFromProps } = PanelBoundary;
const asked = (resetOn: string) => ({ children: null, fallback: () => null, resetOn });

test("a failure stays for as long as the same is asked, and is none of what is asked next", () => {
  const failed = {
    ...{ error: null, askedOn: "28 days" },
    ...getDerivedStateFromError(new Error("refused")),
  };
  expect(failed.error?.message).toBe("refused");
  expect(getDerivedStateFromProps(asked("28 days"), failed)).toBeNull();
  expect(getDerivedStateFromProps(asked("7 days"), failed)).toEqual({
    ...{ error: null, askedOn: "7 days" },
  });
});

test("what is thrown and is no error becomes one", () => {
  expect(getDerivedStateFromError("no").error?.message).toBe("no");
});
