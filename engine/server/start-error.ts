/** Owns: reasons for which the engine does not start, each one sentence that says what to do. Not: bugs. */
import type { Server } from "node:http";

export class StartError extends Error {
  override name = "StartError";
  /** The system's own code when a port could not be had ("EADDRINUSE"), else "start". */
  readonly code: string;

  constructor(message: string, options: { code?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = options.code ?? "start";
  }
}

/** Listening, with the system's errors put into words. `flag` names the option that chose the port. */
export async function listenOrSay(
  server: Server,
  host: string,
  port: number,
  flag: string,
): Promise<void> {
  try {
    await listen(server, host, port);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const sentence = sentenceFor(code, host, port, flag);
    throw sentence === null ? cause : new StartError(sentence, { code, cause });
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function sentenceFor(code: string, host: string, port: number, flag: string): string | null {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} on ${host} is in use. Stop what uses it, or choose another with ${flag}.`;
    case "EACCES":
      return `Port ${port} needs more rights than this process has. Choose one above 1023 with ${flag}.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `This machine has no address ${host}. Choose another with --host.`;
    default:
      return null;
  }
}
