/** Why a fill brought less than it should: one complaint for each subfeed that failed. */
import { translated } from '../../api.ts'

/** 'name: words; name: words', with the words in the reader's language. */
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
