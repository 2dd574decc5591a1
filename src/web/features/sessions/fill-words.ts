/** Explains why a fill brought too few slides: one message for each subfeed that failed. */
import { translated } from '../../api.ts'

/** Translates the messages of 'name: message; name: message'. */
export function translatedFill(error: string): string {
  return error
    .split('; ')
    .map((complaint) => {
      const end = complaint.lastIndexOf(': ') + 2
      return end === 1
        ? translated(complaint)
        : complaint.slice(0, end) + translated(complaint.slice(end))
    })
    .join('; ')
}
