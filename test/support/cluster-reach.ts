/** Which promises of the contract no suite can see through HTTP alone, and why. */

/** Null where it is within reach. */
export function outOfReach(_line: string): string | null {
  return null
}
