/** Owns: what a call is billed for, as a value, and how bills add up. Not: measuring (meter.ts), prices (prices.ts). */
export type Amounts = {
  readBytes: number;
  /** Documents and the keys of their indexes. */
  writtenBytes: number;
  documentsRead: number;
  documentsWritten: number;
  ranges: number;
};

export type Bill = {
  /** The outermost function that touched something; null when none did. */
  name: string | null;
  /** By "component/table"; the root's component is "". */
  byTable: Map<string, Amounts>;
  /** Functions that it scheduled. */
  scheduled: number;
};

export const noAmounts = (): Amounts => ({
  readBytes: 0,
  writtenBytes: 0,
  documentsRead: 0,
  documentsWritten: 0,
  ranges: 0,
});

export const newBill = (): Bill => ({ name: null, byTable: new Map(), scheduled: 0 });

export function amountsOf(bill: Bill, table: string): Amounts {
  const found = bill.byTable.get(table) ?? noAmounts();
  bill.byTable.set(table, found);
  return found;
}

/** The sum over every table that `isWanted`. */
export function totalOf(bill: Bill, isWanted: (table: string) => boolean = () => true): Amounts {
  const sum = noAmounts();
  for (const [table, amounts] of bill.byTable) if (isWanted(table)) add(sum, amounts);
  return sum;
}

export function sumOf(bills: readonly Bill[], isWanted?: (table: string) => boolean): Amounts {
  const sum = noAmounts();
  for (const bill of bills) add(sum, totalOf(bill, isWanted));
  return sum;
}

export const bytesOf = ({ readBytes, writtenBytes }: Amounts): number => readBytes + writtenBytes;

function add(sum: Amounts, more: Amounts): void {
  sum.readBytes += more.readBytes;
  sum.writtenBytes += more.writtenBytes;
  sum.documentsRead += more.documentsRead;
  sum.documentsWritten += more.documentsWritten;
  sum.ranges += more.ranges;
}
