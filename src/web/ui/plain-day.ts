/** Days of a plot: written as '2026-11-16', and the same day wherever one is. Only plots load it. */
import { pageLocale } from '../words/language.ts'

const plainDays = new Intl.DateTimeFormat(pageLocale(), {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

/** '16 Nov'. */
export function formatPlainDay(day: string): string {
  return plainDays.format(new Date(day))
}
