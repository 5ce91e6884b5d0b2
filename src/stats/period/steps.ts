/** Owns: shades in seven steps, the darkest for the most. Not: their colours (period.css). */
export const STEPS = [0, 1, 2, 3, 4, 5, 6] as const;
const DARKEST = 6;

/** Of the square root, so that one large number does not make all others alike; one that is not zero has a shade. */
export function stepOf(count: number, most: number): number {
  return count <= 0 || most <= 0 ? 0 : Math.ceil(Math.sqrt(count / most) * DARKEST);
}
