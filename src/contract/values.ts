/** The small shapes that many resources share: times, messages, redirects. */
import { z } from 'zod'

export const timestamp = z.iso.datetime()

export const spokenMessage = z.object({ message: z.string() })

/** Where to go after signing in: a path of this site, else the front page. */
export function safeRedirect(target: string | undefined): string {
  if (target === undefined || !/^\/(?![/\\])/.test(target)) return '/'
  // Browsers drop tabs and line breaks inside a URL, which would turn '/\t/host' into '//host'.
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f]/.test(target) ? '/' : target
}
