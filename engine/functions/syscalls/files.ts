/**
 * Owns: ctx.storage: in queries and mutations within their transaction, in actions in transactions of their own.
 * Not: the rows (file-store.ts), the bytes (file-contents.ts).
 */
import { setImmediate as letOthersIn } from "node:timers/promises";
import { FunctionError } from "../../errors.ts";
import { MAX_BLOB_BYTES } from "../../limits.ts";
import type { Transaction } from "../../transactions/transaction.ts";
import { parseContentType } from "../../values/content-type.ts";
import type { EngineParts } from "../engine-parts.ts";
import type { Execution } from "../execution.ts";
import { readFile } from "../file-contents.ts";
import type { FoundFile } from "../file-store.ts";
import { syscall } from "./syscall.ts";
import type { JsSyscalls, Syscalls } from "./syscall.ts";

type FileArgs = { readonly storageId: unknown };
type StoreArgs = {
  readonly blob: string;
  readonly contentType?: unknown;
  readonly sha256?: string;
};
type Operation<Args> = (
  transaction: Transaction,
  componentPath: string,
  args: Args,
  engine: EngineParts,
) => unknown;

const getUrl: Operation<FileArgs> = (transaction, componentPath, { storageId }, { files }) => {
  const file = files.find(transaction, componentPath, storageId, "getUrl");
  return file === undefined ? null : files.urlOf(componentPath, file.content);
};

const getMetadata: Operation<FileArgs> = (transaction, componentPath, { storageId }, { files }) => {
  const file = files.find(transaction, componentPath, storageId, "getMetadata");
  if (file === undefined) return null;
  const { size, sha256, contentType } = files.factsOf(transaction, file);
  const hex = Buffer.from(sha256, "base64").toString("hex");
  return { storageId: file.content.name, sha256: hex, size, contentType };
};

const generateUploadUrl: Operation<unknown> = (transaction, componentPath, _args, { files }) =>
  files.uploadUrl(transaction, componentPath);

const remove: Operation<FileArgs> = (transaction, componentPath, { storageId }, { files }) => {
  const file = files.find(transaction, componentPath, storageId, "delete");
  if (file === undefined) throw new FunctionError(`storage id ${String(storageId)} not found`);
  files.remove(transaction, file);
  return null;
};

const store: Operation<StoreArgs> = (transaction, componentPath, args, { files }) =>
  files.store(transaction, componentPath, Buffer.from(args.blob, "base64"), {
    contentType: parseContentType(args.contentType),
    sha256: args.sha256 ?? null,
  });

const get: Operation<FileArgs> = (transaction, componentPath, { storageId }, { files }) => {
  const file = files.find(transaction, componentPath, storageId, "get");
  if (file === undefined) return null;
  const { content } = file;
  const { size, contentType } = files.factsOf(transaction, file);
  if (!transaction.holdsFile(content.file)) transaction.usage.addFileRead(content.file, size);
  const pieces = readFile((number) => transaction.piece(content.file, number), content, 0, size);
  return { blob: Buffer.concat([...pieces]).toString("base64"), contentType };
};

const read = <Args>(run: Operation<Args>) =>
  syscall<Args>((execution, args, engine) =>
    run(execution.requireTransaction(), execution.instance.componentPath, args, engine),
  );
const write = <Args>(run: Operation<Args>) =>
  syscall<Args>((execution, args, engine) =>
    run(execution.requireMutation(), execution.instance.componentPath, args, engine),
  );
const alone = <Args>(run: Operation<Args>) =>
  syscall<Args>((execution, args, engine) =>
    engine.commits.transact((transaction) =>
      run(transaction, execution.instance.componentPath, args, engine),
    ),
  );

export const files: Syscalls = {
  "1.0/storageGetUrl": read(getUrl),
  "1.0/storageGetMetadata": read(getMetadata),
  "1.0/storageGet": write(get),
  "1.0/storageGenerateUploadUrl": write(generateUploadUrl),
  "1.0/storageDelete": write(remove),
  "1.0/storageStore": write(store),
};

export const filesFromActions: Syscalls = {
  "1.0/storageGetUrl": alone(getUrl),
  "1.0/storageGetMetadata": alone(getMetadata),
  "1.0/storageGenerateUploadUrl": alone(generateUploadUrl),
  "1.0/storageDelete": alone(remove),
};

/** Blobs are handed over as they are. */
export const blobsFromActions: JsSyscalls = {
  "storage/storeBlob": async ({ instance }, args, { files: store, fileContents }) => {
    const { blob, options } = args as {
      blob: unknown;
      options?: { sha256?: string };
    };
    if (!(blob instanceof Blob)) throw new FunctionError("ctx.storage.store() takes a Blob.");
    const contentType = parseContentType(blob.type);
    const content = store.newContent();
    const sha256 = options?.sha256 ?? null;
    return fileContents.write(content, blob.stream(), sha256, (transaction, written) =>
      store.add(transaction, instance.componentPath, content, { ...written, contentType }),
    );
  },
  "storage/getBlob": async (execution, args, engine) => {
    const { storageId } = args as FileArgs;
    const file = await findForBlob(execution, storageId, engine);
    if (file === null) return null;
    const { content, size, contentType } = file;
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    const source = (number: number) => engine.commits.piece(content.file, number);
    for (const piece of readFile(source, content, 0, size)) {
      pieces.push(new Uint8Array(piece));
      await letOthersIn();
    }
    return new Blob(pieces, { type: contentType ?? "" });
  },
};

function findForBlob(
  { instance }: Execution,
  storageId: unknown,
  { commits, files: store }: EngineParts,
): Promise<(FoundFile & { size: number; contentType: string | null }) | null> {
  return commits.transact((transaction) => {
    const file = store.find(transaction, instance.componentPath, storageId, "get");
    if (file === undefined) return null;
    const { size, contentType } = store.factsOf(transaction, file);
    if (size > MAX_BLOB_BYTES) {
      throw new FunctionError(
        `The file ${file.id} has ${size} bytes, and ctx.storage.get() reads up to ${MAX_BLOB_BYTES}. Hand out its URL instead (ctx.storage.getUrl).`,
      );
    }
    return { ...file, size, contentType };
  });
}
