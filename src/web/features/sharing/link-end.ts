/** Explains from the server's response why a link no longer opens its session. */
import { ApiProblem } from '../../../client/client.ts'
import { client, codeOf } from '../../api.ts'

/** 'password': the link needs one that this page does not have. */
export type LinkEnd = 'stopped' | 'expired' | 'password' | 'gone'

/** Returns null for failures that say nothing about the link. */
export function linkEndOf(error: unknown): LinkEnd | null {
  if (!(error instanceof ApiProblem)) return null
  const { status, body } = error
  if (status === 404) return 'gone'
  if (status === 410) return codeOf(error) === 'SHARE_STOPPED' ? 'stopped' : 'expired'
  return status === 401 && requiresPassword(body) ? 'password' : null
}

/** Checks the link in these headers. Resolves to null while it opens its session. */
export function askLinkEnd(headers: Readonly<Record<string, string>>): Promise<LinkEnd | null> {
  const code = headers['x-share-code']
  if (code === undefined) return Promise.resolve(null)
  return client.sharing.preview({ params: { code }, headers: { ...headers } }).then(
    () => null,
    (error: unknown) => linkEndOf(error),
  )
}

function requiresPassword(body: unknown): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    'requiresPassword' in body &&
    body.requiresPassword === true
  )
}
