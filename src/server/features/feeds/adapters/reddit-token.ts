/** Gets access tokens for an application without a user (OAuth 2.0 client credentials). */
import { FeedUnavailable } from '../feed-source.ts'
import type { World } from './remote-site.ts'
import { createRemoteSite } from './remote-site.ts'
import { token as tokenSchema } from './reddit-answers.ts'

export type Tokens = {
  /** Returns a valid token. Concurrent callers share one request. */
  current(): Promise<string>
  /** Drops a token that the site has refused, even if it has not expired. */
  discard(token: string): void
}

export function createTokens(
  settings: { authUrl: string; clientId: string; clientSecret: string; userAgent: string },
  world: World,
): Tokens {
  const { clientId, clientSecret, userAgent } = settings
  // The token endpoint has a separate rate limit.
  const remoteSite = createRemoteSite('Reddit’s token endpoint', world)
  const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  let kept: { token: string; expiresAtMs: number } | null = null
  let underWay: Promise<string> | null = null

  async function request(): Promise<string> {
    const { status, json } = await remoteSite.ask({
      url: settings.authUrl,
      headers: { authorization: `Basic ${credentials}`, 'user-agent': userAgent },
      form: { grant_type: 'client_credentials' },
    })
    if (status === 401)
      throw new FeedUnavailable('missing_credentials', 'Reddit refused the credentials')
    const answer = status === 200 ? tokenSchema.safeParse(json).data : undefined
    if (!answer) throw new FeedUnavailable('unreachable', `Reddit returned no token (${status})`)
    // Use 90% of the lifetime, so that no token expires while a request is being sent.
    const lifeMs = answer.expires_in * 900
    kept = { token: answer.access_token, expiresAtMs: world.now().getTime() + lifeMs }
    return answer.access_token
  }

  return {
    async current() {
      if (kept && world.now().getTime() < kept.expiresAtMs) return kept.token
      underWay ??= request().finally(() => {
        underWay = null
      })
      return underWay
    },
    discard(token) {
      if (kept?.token === token) kept = null
    },
  }
}
