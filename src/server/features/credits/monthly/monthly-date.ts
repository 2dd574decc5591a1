/** The day of each month on which an account gets its allocation. */

/**
 * Returns the first monthly date after `after`: the anchor's day and time in UTC, or the month's last day
 * if the month is shorter.
 */
export function nextMonthlyDate(anchor: Date, after: Date): Date {
  let month = after.getUTCFullYear() * 12 + after.getUTCMonth()
  let date = dateInMonth(anchor, month)
  while (date <= after) {
    month += 1
    date = dateInMonth(anchor, month)
  }
  return date
}

function dateInMonth(anchor: Date, month: number): Date {
  const [year, monthOfYear] = [Math.floor(month / 12), month % 12]
  const lastDay = new Date(Date.UTC(year, monthOfYear + 1, 0)).getUTCDate()
  const date = new Date(anchor)
  date.setUTCFullYear(year, monthOfYear, Math.min(anchor.getUTCDate(), lastDay))
  return date
}
