/** The files that were brought and not taken. Each stays until it is dismissed, whatever comes after. */
import type { LeftOut } from './gather-media.ts'

/** A file that is brought again for the same reason keeps its one line. */
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
