/** The message for an upload that failed, and whether a retry can help. */
import { ApiProblem } from '../../client/client.ts'
import { codeOf, explain } from '../api.ts'
import { formatSize } from '../words/figures.ts'
import { words } from './words.ts'

export type UploadFailure = { readonly text: string; readonly canRetry: boolean }

export function explainUpload(error: unknown, sizeBytes: number): UploadFailure {
  const text = refusalOf(error)
  if (text !== null) return { text: text({ size: formatSize(sizeBytes) }), canRetry: false }
  return {
    text: [explain(error), textIn(error, 'suggestion')].join(' ').trim(),
    canRetry: !(error instanceof ApiProblem) || mayPass(error),
  }
}

export function explainTooLarge(sizeBytes: number, maxBytes: number): UploadFailure {
  const size = formatSize(sizeBytes)
  return { text: words.tooLarge({ size, max: formatSize(maxBytes) }), canRetry: false }
}

/** Returns a message for users. The server's text for these errors is for programs. */
function refusalOf(error: unknown): ((figures: { size: string }) => string) | null {
  const name = textIn(error, 'error')
  if (name === 'FILE_TOO_LARGE') return words.tooLargeNow
  if (name !== 'UPLOAD_ERROR') return null
  const message = textIn(error, 'message')
  if (message.includes('file content')) return () => words.damaged
  return () => (message.includes('MIME type') ? words.notAccepted : words.wrongName)
}

/**
 * True when the same file can be accepted later: after a server failure or a rate limit, after signing
 * in, or when the vault has free space.
 */
function mayPass(problem: ApiProblem): boolean {
  const isPassing = problem.status >= 500 || [401, 408, 429].includes(problem.status)
  return isPassing || codeOf(problem) === 'QUOTA_EXCEEDED'
}

function textIn(error: unknown, name: 'error' | 'message' | 'suggestion'): string {
  const body = error instanceof ApiProblem ? Object(error.body) : {}
  const text: unknown = body[name]
  return typeof text === 'string' ? text : ''
}
