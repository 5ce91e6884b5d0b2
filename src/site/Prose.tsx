/**
 * Owns: Markdown as elements: links, headings with anchors, code, tables.
 * Not: raw HTML, which is switched off and shows as the text that it is.
 */
import Markdown, { type MarkdownToJSX } from "markdown-to-jsx/react";
import { useRef, type ComponentPropsWithoutRef, type ReactNode } from "react";
import { Link } from "react-router-dom";
import { CopyButton } from "./CopyButton.tsx";

type HeadingProps = { id?: string; children?: ReactNode };

/** A post's title is the page's h1, so "# x" inside of it would be a second one. */
function heading(Tag: "h2" | "h3" | "h4") {
  return function Heading({ id, children }: HeadingProps) {
    return (
      <Tag id={id}>
        <a href={`#${id ?? ""}`} className="anchor">
          {children}
        </a>
      </Tag>
    );
  };
}

function ProseLink({ href = "", children, title }: ComponentPropsWithoutRef<"a">) {
  if (href.startsWith("/") && !href.startsWith("//")) {
    return (
      <Link to={href} title={title}>
        {children}
      </Link>
    );
  }
  return (
    <a href={href} title={title} rel="noreferrer">
      {children}
    </a>
  );
}

function CodeBlock({ children }: { children?: ReactNode }) {
  const codeRef = useRef<HTMLPreElement>(null);
  return (
    <div className="code-block">
      <pre ref={codeRef} tabIndex={0}>
        {children}
      </pre>
      <CopyButton textOf={() => codeRef.current?.textContent ?? ""} />
    </div>
  );
}

function ScrollingTable({ children }: { children?: ReactNode }) {
  return (
    <div className="table-scroll" tabIndex={0}>
      <table>{children}</table>
    </div>
  );
}

function ProseBlock({ children }: { children?: ReactNode }) {
  return <div className="prose">{children}</div>;
}

const options: MarkdownToJSX.Options = {
  disableParsingRawHTML: true,
  forceBlock: true,
  wrapper: ProseBlock,
  forceWrapper: true,
  overrides: {
    h1: heading("h2"),
    h2: heading("h2"),
    h3: heading("h3"),
    h4: heading("h4"),
    a: ProseLink,
    pre: CodeBlock,
    table: ScrollingTable,
  },
};

export function Prose({ markdown }: { markdown: string }) {
  return <Markdown options={options}>{markdown}</Markdown>;
}
