/** The OIDC provider: builds the address of the sign-in page, and reads the result of the sign-in. */
import * as oidc from 'openid-client'
import { OidcRefused, OidcUnreachable } from './oidc-failures.ts'

export type OidcClaims = {
  readonly sub: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly firstName: string | null
  readonly lastName: string | null
  readonly picture: string | null
  readonly role: unknown
}

/** The secrets of a started sign-in, which only we know. */
export type OidcSecrets = {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

export type OidcProvider = {
  /** Returns the address to redirect the browser to. */
  begin(secrets: OidcSecrets): Promise<string>
  /** Returns the claims. Rejects with `OidcRefused` if the response does not match the started sign-in. */
  finish(answer: URLSearchParams, secrets: OidcSecrets): Promise<OidcClaims>
}

type Settings = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly roleClaim: string | undefined
}

const timeoutSeconds = 10

export function createOidcProvider(
  settings: Settings,
  options: { callbackUrl: string; allowHttp: boolean },
): OidcProvider {
  let discovered: Promise<oidc.Configuration> | null = null
  /**
   * Discovers the provider once. A failed attempt is not kept, so a provider that was down is found later.
   */
  const configuration = () => {
    discovered ??= discover(settings, options.allowHttp).catch((error: unknown) => {
      discovered = null
      throw new OidcUnreachable(`the OIDC provider cannot be reached: ${reasonOf(error)}`)
    })
    return discovered
  }
  return {
    async begin(secrets) {
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: options.callbackUrl,
        scope: 'openid email profile',
        code_challenge: await oidc.calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
        state: secrets.state,
        nonce: secrets.nonce,
      })
      return url.href
    },
    async finish(answer, secrets) {
      const provider = await configuration()
      try {
        const tokens = await oidc.authorizationCodeGrant(
          provider,
          new URL(`${options.callbackUrl}?${answer.toString()}`),
          {
            pkceCodeVerifier: secrets.codeVerifier,
            expectedNonce: secrets.nonce,
            expectedState: secrets.state,
            idTokenExpected: true,
          },
        )
        const claims = tokens.claims()
        if (!claims) throw new OidcRefused('the provider returned no ID token')
        const { roleClaim } = settings
        const profile = isComplete(claims, roleClaim)
          ? {}
          : await readProfile(provider, tokens.access_token, claims.sub)
        return presentClaims(claims, profile, roleClaim)
      } catch (error) {
        throw isOutage(error)
          ? new OidcUnreachable(`the OIDC provider cannot be reached: ${reasonOf(error)}`)
          : new OidcRefused(`the OIDC response was rejected: ${reasonOf(error)}`)
      }
    },
  }
}

type ClaimSet = Readonly<Record<string, unknown>>

async function discover(settings: Settings, allowHttp: boolean): Promise<oidc.Configuration> {
  const ask = (issuer: string) =>
    oidc.discovery(
      new URL(issuer),
      settings.clientId,
      undefined,
      proveByClientSecret(settings.clientSecret),
      { timeout: timeoutSeconds, execute: allowHttp ? [oidc.allowInsecureRequests] : [] },
    )
  try {
    return await ask(settings.issuer)
  } catch (error) {
    // An issuer may end in a slash, which people forget and the setting removes.
    if (codeOf(error) !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw error
    return ask(`${settings.issuer}/`)
  }
}

/** Sends the secret in the body if the provider allows it, because fewer misread it there, else as Basic. */
function proveByClientSecret(secret: string): oidc.ClientAuth {
  const inBody = oidc.ClientSecretPost(secret)
  const asBasic = oidc.ClientSecretBasic(secret)
  return (provider, ...request) => {
    const methods = provider.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return methods.includes('client_secret_post')
      ? inBody(provider, ...request)
      : asBasic(provider, ...request)
  }
}

/**
 * Returns true if the id token has all the claims we need. Providers may put them in the userinfo endpoint.
 */
function isComplete(claims: ClaimSet, roleClaim: string | undefined): boolean {
  return (
    claims['email'] !== undefined && (roleClaim === undefined || claims[roleClaim] !== undefined)
  )
}

async function readProfile(
  provider: oidc.Configuration,
  accessToken: string,
  subject: string,
): Promise<ClaimSet> {
  if (provider.serverMetadata().userinfo_endpoint === undefined) return {}
  return oidc.fetchUserInfo(provider, accessToken, subject)
}

function presentClaims(
  claims: ClaimSet & { sub: string },
  profile: ClaimSet,
  roleClaim: string | undefined,
): OidcClaims {
  const all: ClaimSet = { ...profile, ...claims }
  // An address and its verification must be from one source: no source may vouch for another's address.
  const contact = claims['email'] === undefined ? profile : claims
  return {
    sub: claims.sub,
    email: emailOf(contact['email']),
    emailVerified: contact['email_verified'] === true,
    firstName: textOf(all['given_name']) ?? textOf(all['name']),
    lastName: textOf(all['family_name']),
    picture: textOf(all['picture']),
    role: roleClaim === undefined ? undefined : all[roleClaim],
  }
}

function emailOf(claim: unknown): string | null {
  const text = textOf(claim)
  return text !== null && text.length <= 254 && /^[^\s@]+@[^\s@]+$/.test(text) ? text : null
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : null
}

/** Returns true if the provider or the network fails: no response, a partial response, or a gateway error. */
function isOutage(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      cause.name === 'TimeoutError' ||
      // fetch throws this for a broken connection. A TypeError from a mistake in code has no cause.
      (cause instanceof TypeError && cause.cause instanceof Error) ||
      (cause.cause instanceof Response && cause.cause.status >= 500),
  )
}

/**
 * Describes a failure for the log, in the words of the OIDC library and the provider. Other messages are
 * omitted: a parser quotes its input, which may be a token.
 */
function reasonOf(error: unknown): string {
  const words = causesOf(error).flatMap((cause) => [
    cause instanceof oidc.ClientError || cause instanceof OidcRefused ? cause.message : '',
    codeOf(cause) ?? cause.name,
    'error' in cause && typeof cause.error === 'string' ? cause.error.slice(0, 60) : '',
    cause.cause instanceof Response ? `status ${cause.cause.status}` : '',
  ])
  return [...new Set(words)].filter((word) => word !== '').join(', ')
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let next = error; next instanceof Error && causes.length < 5; next = next.cause)
    causes.push(next)
  return causes
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}
