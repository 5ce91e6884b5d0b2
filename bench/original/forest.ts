/**
 * Owns: the B-trees that the aggregates would hold after many insertions, made fast: the component's own insertion over
 * a table in memory, then copied. Under convex-test each insertion would scan every table.
 * Not: the rows that the trees are over.
 */
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { InsertRows } from "../support/deployment.ts";
import type { Value } from "convex/values";

/** A row's key and id, as a TableAggregate takes them. */
export type Item = { key: string | number | null; id: string; namespace?: string };

type Node = { _id: string; items: Value[]; subtrees: string[]; aggregate?: Value };
type Tree = { _id: string; root: string; maxNodeSize: number; namespace?: string };
type InsertHandler = (
  ctx: { db: MemoryTables },
  args: { key: Value; value: string; namespace?: string },
) => Promise<void>;

/** The little of a database that the component's insertion needs. */
class MemoryTables {
  readonly nodes = new Map<string, Node>();
  readonly trees = new Map<string, Tree>();
  #ids = 0;

  async get(table: string, id: string): Promise<Node | Tree | undefined> {
    return structuredClone(table === "btree" ? this.#treeById(id) : this.nodes.get(id));
  }

  async insert(table: string, fields: Omit<Node, "_id"> | Omit<Tree, "_id">): Promise<string> {
    this.#ids += 1;
    const _id = `${table}${this.#ids}`;
    if ("root" in fields) this.trees.set(fields.namespace ?? "", { ...fields, _id });
    else this.nodes.set(_id, { ...fields, _id });
    return _id;
  }

  async patch(table: string, id: string, fields: Partial<Node & Tree>): Promise<void> {
    const row = table === "btree" ? this.#treeById(id) : this.nodes.get(id);
    if (row === undefined) throw new Error(`There is no ${table} ${id}.`);
    Object.assign(row, fields);
  }

  query() {
    let namespace: string | undefined;
    const equals = { eq: (_field: string, value: string | undefined) => (namespace = value) };
    return {
      withIndex: (_name: string, range: (q: typeof equals) => unknown) => {
        range(equals);
        return { unique: async () => this.trees.get(namespace ?? "") ?? null };
      },
    };
  }

  #treeById(id: string): Tree | undefined {
    return [...this.trees.values()].find((tree) => tree._id === id);
  }
}

export class Forest {
  readonly #tables = new MemoryTables();
  readonly #insert: InsertHandler;

  private constructor(insert: InsertHandler) {
    this.#insert = insert;
  }

  static async plant(): Promise<Forest> {
    const entry = fileURLToPath(import.meta.resolve("@convex-dev/aggregate/convex.config.js"));
    const url = pathToFileURL(join(entry, "..", "btree.js")).href;
    const { insertHandler } = (await import(url)) as { insertHandler: InsertHandler };
    return new Forest(insertHandler);
  }

  async insert({ key, id, ...namespace }: Item): Promise<void> {
    const position = [key, id, ""];
    await this.#insert({ db: this.#tables }, { key: position, value: id, ...namespace });
  }

  /** Writes every tree into the component's tables. */
  async copyTo(db: InsertRows): Promise<void> {
    for (const { root, maxNodeSize, namespace } of this.#tables.trees.values()) {
      await db.insert("btree", {
        root: await this.#copyNode(db, root),
        maxNodeSize,
        ...(namespace === undefined ? {} : { namespace }),
      });
    }
  }

  async #copyNode(db: InsertRows, id: string): Promise<string> {
    const node = this.#tables.nodes.get(id);
    if (node === undefined) throw new Error(`There is no node ${id}.`);
    const subtrees: string[] = [];
    for (const subtree of node.subtrees) subtrees.push(await this.#copyNode(db, subtree));
    const { items, aggregate } = node;
    return await db.insert("btreeNode", {
      items,
      subtrees,
      ...(aggregate === undefined ? {} : { aggregate }),
    });
  }
}
