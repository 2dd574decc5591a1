/** The sign-in check of ours: the same cookie, the same signature, the same table with the same hash. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Pool } from 'pg'

const cookieKey = createHmac('sha256', process.env['SESSION_SECRET'] ?? '')
  .update('lanternist/cookie/1')
  .digest()

const findSignIn = {
  name: 'find-sign-in',
  text: `select users.id, users.is_active
    from sign_ins join users on users.id = sign_ins.user_id
    where secret_hash = $1 and expires_at > $2`,
}

/** Returns the id of the active user whose cookie is in the request. */
export async function signedInUserId(pool: Pool, request: IncomingMessage): Promise<string | null> {
  const secret = readSecret(request.headers.cookie ?? '')
  if (secret === null) return null
  const secretHash = createHash('sha256').update(secret).digest()
  const { rows } = await pool.query<{ id: string; is_active: boolean }>({
    ...findSignIn,
    values: [secretHash, new Date()],
  })
  return rows[0]?.is_active ? rows[0].id : null
}

function readSecret(header: string): string | null {
  const [, secret = '', signature = ''] =
    /(?:^|; )connect\.sid=([^.;]+)\.([^.;]+)/.exec(header) ?? []
  const digest = createHmac('sha256', cookieKey).update(secret).digest()
  const expected = Buffer.from(digest.subarray(0, 18).toString('base64url'))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected) ? secret : null
}
