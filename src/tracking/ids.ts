/** Owns: random ids. Not: what they name. (`crypto.randomUUID` exists on https pages only.) */

/** 64 random bits in at most 13 letters. Each stored id of an event is billed at every view, so it is short. */
export const newId = () => crypto.getRandomValues(new BigUint64Array(1))[0]!.toString(36);

/** Twice as long: tells every browser apart, and nobody can guess it. */
export const newSessionId = () => newId() + newId();
