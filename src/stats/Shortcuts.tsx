/** Owns: hearing the keys of /stats, and the list of them. Not: what a key does (shortcuts.ts). */
import { useEffect, useRef } from "react";
import type { ChangeAddress, Period } from "./period/usePeriod.ts";
import { nextComparison, PRESET_KEYS, shortcutOf } from "./shortcuts.ts";
import type { Shortcut } from "./shortcuts.ts";
import { texts } from "./texts.ts";

type Props = { period: Period; change: ChangeAddress };

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
  );
}

function follow(shortcut: Shortcut, { period, change }: Props, help: () => void): void {
  switch (shortcut.kind) {
    case "period":
      return change("period", shortcut.preset);
    case "compare":
      return change("compare", nextComparison(period.asked.compare));
    case "all":
      return change("filter", null);
    case "help":
      return help();
  }
  return shortcut satisfies never;
}

export function Shortcuts(props: Props) {
  const { period, change } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const isOpen = dialog.current?.open === true;
      const shortcut = shortcutOf(event, isOpen || isTyping(event.target));
      if (shortcut === null) return;
      event.preventDefault();
      follow(shortcut, { period, change }, () => dialog.current?.showModal());
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, [period, change]);
  const { shortcuts: words, period: ofPeriod } = texts;
  const keys = Object.entries(PRESET_KEYS).map(([key, preset]) => ({
    key,
    does: ofPeriod.presets[preset],
  }));
  return (
    <>
      <p className="shortcuts-hint">
        <button type="button" className="quiet-button" onClick={() => dialog.current?.showModal()}>
          {words.open}
        </button>
      </p>
      <dialog ref={dialog} className="shortcuts" aria-label={words.heading}>
        <h2>{words.heading}</h2>
        <dl>
          {[...keys, ...words.others].map(({ key, does }) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <form method="dialog">
          <button type="submit">{words.close}</button>
        </form>
      </dialog>
    </>
  );
}
