/**
 * Formats the days of a plot, such as '2026-11-16', independent of the time zone. Only plots load this file.
 */
import { pageLocale } from '../words/language.ts'

const plainDays = new Intl.DateTimeFormat(pageLocale(), {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** Formats a day as '16 Nov'. */
export function formatPlainDay(day: string): string {
  return plainDays.format(new Date(day))
}
