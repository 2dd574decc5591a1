/** The files that were left out. Each stays in the list until it is dismissed. */
import type { LeftOut } from './gather-media.ts'
import { words } from './words.ts'

/** Files whose names are unknown, because reading them failed as a whole. */
export const unreadable: LeftOut = { name: '…', why: words.unreadable }

/** Joins both lists. A file that is left out again for the same reason has only one line. */
export function joinLeftOut(before: readonly LeftOut[], more: readonly LeftOut[]): LeftOut[] {
  return [...new Map([...before, ...more].map((one) => [leftOutKey(one), one])).values()]
}

export function withoutThese(all: readonly LeftOut[], gone: readonly LeftOut[]): LeftOut[] {
  const keys = new Set(gone.map(leftOutKey))
  return all.filter((one) => !keys.has(leftOutKey(one)))
}

export function leftOutKey({ name, why }: LeftOut): string {
  return `${name}\n${why}`
}
