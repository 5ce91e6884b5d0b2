/**
 * Owns: random ids, of a browser, of a view, of a tab: 64 bits in at most 13 letters. Among ten million of them two
 * are alike once in 300,000 times, nobody guesses one, and each is stored and billed with every view, so it is short.
 * Not: what they name. (`crypto.randomUUID` exists on https pages only.)
 */
export const newId = () => crypto.getRandomValues(new BigUint64Array(1))[0]!.toString(36);
