/**
 * The tables as TypeScript sees them, and how their columns become values. Each feature adds its own,
 * in its `tables.ts`; a test holds all of them against the migrated database.
 */

// oxlint-disable-next-line typescript/consistent-type-definitions, typescript/no-empty-object-type, typescript/no-empty-interface -- features extend this interface
export interface Tables {}

const int8 = 20
const date = 1082

/** Counts and sums stay below 2^53; a date is a day, not an instant in some time zone. */
export const columnParsers: Readonly<Record<number, (text: string) => unknown>> = {
  [int8]: Number,
  [date]: (text) => text,
}
