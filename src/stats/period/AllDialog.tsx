/** Owns: a window over the page, opened by a button: the browser's own dialog, with its focus, its Escape and its backdrop. Not: what stands in it. */
import { useEffect, useId, useRef, useState } from "react";
import type { ReactNode } from "react";
import { texts } from "../texts.ts";

type DialogProps = { heading: string; onClose: () => void; children: ReactNode };

function Dialog({ heading, onClose, children }: DialogProps) {
  const headingId = useId();
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className="all-dialog"
      aria-labelledby={headingId}
      onClose={onClose}
      // The dialog itself is pressed where nothing of it stands: on its backdrop.
      onClick={({ target }) => target === ref.current && onClose()}
    >
      <div className="all-content">
        <div className="panel-head">
          <h2 id={headingId}>{heading}</h2>
          <button type="button" className="quiet-button" onClick={onClose}>
            {texts.period.allList.close}
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

type Props = {
  label: string;
  heading: string;
  /** Asked for while it is open alone. */
  children: (close: () => void) => ReactNode;
};

export function DialogButton({ label, heading, children }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <button
        type="button"
        className="quiet-button"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        {label}
      </button>
      {isOpen && (
        <Dialog heading={heading} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}
