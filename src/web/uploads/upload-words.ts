/** What is said of an upload that did not work, and which kinds of file there are to choose. */
import { ApiProblem } from '../../client/client.ts'
import { explain } from '../api.ts'

/** Named one by one, so that a phone converts what the site does not take. */
export const acceptedMedia = 'image/jpeg,image/png,image/gif,image/webp,video/mp4,video/webm'

/** The server's words, with what could be done instead where it says so. */
export function explainUpload(error: unknown): string {
  return [explain(error), suggestionOf(error)].join(' ').trim()
}

export function unreadableFile(name: string): string {
  return `“${name}” could not be read. It may have been moved or changed meanwhile.`
}

export const unreadableBrought =
  'It could not be read. It may have been moved or changed meanwhile.'

function suggestionOf(error: unknown): string {
  const body = error instanceof ApiProblem ? error.body : null
  if (typeof body !== 'object' || body === null || !('suggestion' in body)) return ''
  return typeof body.suggestion === 'string' ? body.suggestion : ''
}
