/** Why a link no longer opens its session, as the service answers. */
import { ApiProblem } from '../../../client/client.ts'
import { client } from '../../api.ts'

/** 'password': one is needed that this page does not have. */
export type LinkEnd = 'stopped' | 'expired' | 'password' | 'gone'

/** Null for failures that say nothing about the link. */
export function linkEndOf(error: unknown): LinkEnd | null {
  if (!(error instanceof ApiProblem)) return null
  const { status, body } = error
  if (status === 404) return 'gone'
  if (status === 410) return hasField(body, 'code', 'SHARE_STOPPED') ? 'stopped' : 'expired'
  return status === 401 && hasField(body, 'requiresPassword', true) ? 'password' : null
}

/** Asks whether the link of these headers still opens its session; null while it does. */
export function askLinkEnd(headers: Readonly<Record<string, string>>): Promise<LinkEnd | null> {
  const code = headers['x-share-code']
  if (code === undefined) return Promise.resolve(null)
  return client.sharing.preview({ params: { code }, headers: { ...headers } }).then(
    () => null,
    (error: unknown) => linkEndOf(error),
  )
}

function hasField(body: unknown, name: string, value: unknown): boolean {
  return Object.getOwnPropertyDescriptor(Object(body), name)?.value === value
}
