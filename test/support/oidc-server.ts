/**
 * A real OIDC provider on this machine: the certified `oidc-provider`, with people whose claims a test sets,
 * and without a sign-in page. It can be stopped and restarted at the same address.
 */
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js'
import { createCookieJar } from './cookie-jar.ts'

export type OidcServer = Awaited<ReturnType<typeof startOidcServer>>

/** The provider's claims about a person, without the subject. */
export type Claims = {
  email?: string
  email_verified?: boolean
  given_name?: string
  family_name?: string
  picture?: string
  role?: unknown
}

type People = Map<string, { userinfo: Claims; id_token: Claims }>

export type Interruption = (response: ServerResponse) => void

type Options = {
  /** The addresses of the tested site: the browser is redirected to `/api/callback` there. */
  sites: string[]
  /** The part of the issuer after the host. */
  path?: string
  clientAuthMethod?: 'client_secret_post' | 'client_secret_basic'
  /** Without it an id token contains only the subject, as the standard prefers. */
  claimsInIdToken?: boolean
  userinfo?: boolean
}

const client = { id: 'lanternist', secret: 'the secret of the client at the provider' }
const personHeader = 'x-person'
const maxRedirects = 10

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const signingKey = {
  ...privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'RS256',
  kid: 'test',
}

export async function startOidcServer(options: Options) {
  const people: People = new Map()
  const tokens: string[] = []
  let interruption: Interruption | null = null
  const server = createServer((request, response) => {
    if (interruption) interruption(response)
    else void answer(request, response)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const stop = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  const port = await listen(0)
  const origin = `http://127.0.0.1:${port}`
  const issuer = `${origin}${options.path ?? ''}`
  const mountPath = (options.path ?? '').replace(/\/$/, '')
  const provider = createProvider(issuer, options, people)
  const speak = provider.callback()
  provider.on('grant.success', ({ body }) => {
    for (const value of Object.values(body)) if (typeof value === 'string') tokens.push(value)
  })
  provider.on('server_error', (_, error) => {
    throw error
  })

  /** Replaces the sign-in page: a header of the request names the person. */
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? ''
    if (!url.startsWith('/interaction/')) {
      // The provider expects the request of an Express mount.
      Object.assign(request, { originalUrl: url, url: url.slice(mountPath.length) })
      return speak(request, response)
    }
    const person = String(request.headers[personHeader])
    const result = people.has(person)
      ? { login: { accountId: person } }
      : { error: 'access_denied' }
    return provider.interactionFinished(request, response, result)
  }

  return {
    issuer,
    /** The settings of the tested site. */
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
    },
    /**
     * Adds a person with an account at the provider, or changes their claims. If the id token contains
     * claims, they can differ from those of the userinfo endpoint.
     */
    person(subject: string, claims: Claims, inIdToken = claims): string {
      people.set(subject, { userinfo: claims, id_token: inIdToken })
      return subject
    },
    /** All tokens that the token endpoint has issued. */
    tokens,
    /**
     * Follows the redirects of a browser at the provider. Returns the URL that leads back to the site. An
     * unknown person declines.
     */
    async authorize(url: string, subject: string): Promise<URL> {
      const jar = createCookieJar()
      let next = new URL(url)
      for (let hops = 0; next.origin === origin; hops += 1) {
        if (hops === maxRedirects) throw new Error(`still at the provider: ${next.href}`)
        const headers = { cookie: jar.header(), [personHeader]: subject }
        const response = await fetch(next, { headers, redirect: 'manual' })
        jar.keep(response.headers.getSetCookie())
        const location = response.headers.get('location')
        if (!location) throw new Error(`${response.status} ${await response.text()}`)
        next = new URL(location, next)
      }
      return next
    },
    /** Replaces the response to every request, until it is called with null. */
    interrupt: (by: Interruption | null) => void (interruption = by),
    stop,
    start: () => listen(port),
  }
}

function createProvider(issuer: string, options: Options, people: People) {
  const clientAuthMethod = options.clientAuthMethod ?? 'client_secret_post'
  const provider: Provider = new Provider(issuer, {
    adapter: createMemoryAdapter(0),
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: options.sites.map((site) => `${site}/api/callback`),
        token_endpoint_auth_method: clientAuthMethod,
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'picture', 'role'],
    },
    clientAuthMethods: [clientAuthMethod],
    conformIdTokenClaims: !options.claimsInIdToken,
    cookies: { keys: ['signs the cookies of the provider'] },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: options.userinfo ?? true },
    },
    findAccount(_, subject) {
      const claims = people.get(subject)
      return claims && { accountId: subject, claims: (use) => ({ sub: subject, ...claims[use] }) }
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [signingKey] },
    /** Grants all scopes: everyone has consented. */
    async loadExistingGrant({ oidc }) {
      const { clientId } = oidc.client
      const grant = new provider.Grant({ clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  })
  return provider
}
