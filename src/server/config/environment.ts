/** Reads single settings, also for code that needs one before all are parsed. */
import type { Setting } from './setting.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export type Read = <T>(setting: Setting<T>) => T

export function readerOf(environment: Environment): Read {
  return (setting) => setting.parse(environment[setting.name]?.trim() || undefined)
}
