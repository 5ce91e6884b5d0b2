/** Owns: files for callers from outside: who may upload, storing a stream, opening one by its address. */
import type { OpenedFile, StoredFiles } from "../application.ts";
import type { EngineParts } from "../functions/engine-parts.ts";
import { readFile } from "../functions/file-contents.ts";
import { componentOfUpload } from "../functions/upload-tokens.ts";

export class FileAccess implements StoredFiles {
  readonly #engine: EngineParts;

  constructor(engine: EngineParts) {
    this.#engine = engine;
  }

  uploadTarget(token: string): Promise<string | null> {
    return this.#engine.commits.transact((transaction) => componentOfUpload(transaction, token));
  }

  store(
    componentPath: string,
    bytes: AsyncIterable<Uint8Array>,
    {
      contentType,
      sha256,
    }: { readonly contentType: string | null; readonly sha256: string | null },
  ): Promise<string> {
    const { files, fileContents } = this.#engine;
    const content = files.newContent();
    return fileContents.write(content, bytes, sha256, (transaction, written) =>
      files.add(transaction, componentPath, content, { ...written, contentType }),
    );
  }

  open(componentPath: string, name: string): Promise<OpenedFile | null> {
    const { commits, files } = this.#engine;
    return commits.transact((transaction) => {
      const file = files.findByName(transaction, componentPath, name);
      if (file === undefined) return null;
      const { content } = file;
      const source = (number: number) => commits.piece(content.file, number);
      return {
        ...files.factsOf(transaction, file),
        read: (start, end) => readFile(source, content, start, end),
      };
    });
  }
}
