/** How columns become JavaScript values, set alike on both engines. */
const int8 = 20
const date = 1082

/** Counts and sums stay below 2^53; a date is a day, not an instant in some time zone. */
export const columnParsers: Readonly<Record<number, (text: string) => unknown>> = {
  [int8]: Number,
  [date]: (text) => text,
}
