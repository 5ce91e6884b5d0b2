/** Owns: when every measured site begins: both designs at the same instant. */

/** A Monday at noon, in the middle of nothing. */
export const STARTS_AT = Date.UTC(2026, 10, 30, 12);
