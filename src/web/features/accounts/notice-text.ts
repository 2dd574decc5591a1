/** Translates a notice. The server sends English, but its sentences are known except for a title. */
import { words } from './leaving-words.ts'

const known = [
  [/^“(.*)” was reported and is hidden until somebody has looked at it\.$/s, words.noticeHidden],
  [
    /^A report about “(.*)” was looked at and dismissed\. Everything is as it was\.$/s,
    words.noticeDismissed,
  ],
  [
    /^“(.*)” was taken down after a report\. It can no longer be shared or published\.$/s,
    words.noticeRemoved,
  ],
  [
    /^Your session “(.*)” could not be kept fresh for three days\. What it shows stays as it is\.$/s,
    words.noticeStale,
  ],
] as const

export function noticeText(message: string): string {
  for (const [pattern, say] of known) {
    const title = pattern.exec(message)?.[1]
    if (title !== undefined) return say({ title })
  }
  return message
}
