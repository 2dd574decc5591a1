/** Formats numbers, dates and sizes in the visitor's locale. */
import { pageLocale } from './language.ts'

const locale = pageLocale()
const numbers = new Intl.NumberFormat(locale)
const dayMonths = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' })
const dayMonthTimes = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
/** Latin digits without grouping, so that a field can parse it, with a comma or a point. */
const typedNumbers = new Intl.NumberFormat(locale, { useGrouping: false, numberingSystem: 'latn' })
const lists = new Intl.ListFormat(locale, { type: 'unit', style: 'short' })
const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
const months = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' })
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const times = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })

/** Returns '1,234', or '1.234'. */
export function formatNumber(amount: number): string {
  return numbers.format(amount)
}

/** Returns '1234.5', or '1234,5', as a user types it into a field. */
export function formatTypedNumber(amount: number): string {
  return typedNumbers.format(amount)
}

/** Returns '1, 2, 3', or '1, 2 und 3'. */
export function formatList(parts: readonly string[]): string {
  return lists.format(parts)
}

/** Returns '5.0', always with one digit after the point. */
export function formatTenths(amount: number): string {
  return tenths.format(amount)
}

/** Returns '16 November 2026'. */
export function formatDay(date: Date): string {
  return days.format(date)
}

/** Returns 'November 2026'. */
export function formatMonth(date: Date): string {
  return months.format(date)
}

/** Returns '16 November', where the year is clear. */
export function formatDayMonth(date: Date): string {
  return dayMonths.format(date)
}

/** Returns '16 Nov, 14:05'. */
export function formatDayMonthTime(date: Date): string {
  return dayMonthTimes.format(date)
}

/** Returns '16 Nov 2026, 14:05'. */
export function formatMoment(date: Date): string {
  return moments.format(date)
}

/** Returns '14:05'. */
export function formatTime(date: Date): string {
  return times.format(date)
}

/** Returns '12.4 MB'. */
export function formatSize(bytes: number): string {
  const [amount, unit] = scaled(bytes)
  const maximumFractionDigits = amount < 100 ? 1 : 0
  // The short form of "byte" has no plural in English.
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  const form = { style: 'unit', unit, unitDisplay, maximumFractionDigits } as const
  return new Intl.NumberFormat(locale, form).format(amount)
}

/** The unit of limits and quotas, so that a quota of 5120 MB is shown as 5 GB. */
const step = 1024

function scaled(bytes: number): [number, string] {
  if (bytes < step) return [bytes, 'byte']
  if (bytes < 999.5 * step) return [bytes / step, 'kilobyte']
  return bytes < 999.5 * step ** 2
    ? [bytes / step ** 2, 'megabyte']
    : [bytes / step ** 3, 'gigabyte']
}
