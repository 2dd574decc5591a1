/** What is said of an upload that did not work. */
import { ApiProblem } from '../../client/client.ts'
import { explain } from '../api.ts'

/** The server's words, with what could be done instead where it says so. */
export function explainUpload(error: unknown): string {
  return [explain(error), suggestionOf(error)].join(' ').trim()
}

function suggestionOf(error: unknown): string {
  const body = error instanceof ApiProblem ? error.body : null
  if (typeof body !== 'object' || body === null || !('suggestion' in body)) return ''
  return typeof body.suggestion === 'string' ? body.suggestion : ''
}
