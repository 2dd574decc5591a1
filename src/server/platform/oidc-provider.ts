/** The OIDC provider as we use it: where to send a browser, and who came back from there. */
import * as oidc from 'openid-client'

export type OidcClaims = {
  readonly sub: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly firstName: string | null
  readonly lastName: string | null
  readonly picture: string | null
  readonly role: unknown
}

/** What only the node that began a sign-in knows, kept until the browser is back. */
export type OidcSecrets = {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

export type OidcProvider = {
  begin(): Promise<OidcSecrets & { readonly url: string }>
  /** Rejects with `OidcRefused` where the answer is not a valid one to what was begun. */
  finish(answer: URLSearchParams, secrets: OidcSecrets): Promise<OidcClaims>
}

export class OidcRefused extends Error {}

export class OidcUnreachable extends Error {}

type Settings = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly roleClaim: string | undefined
}

const timeoutSeconds = 10

export function createOidcProvider(
  settings: Settings,
  place: { callbackUrl: string; allowHttp: boolean },
): OidcProvider {
  let discovered: Promise<oidc.Configuration> | null = null
  /** Asked once; a failed attempt is not kept, so a provider that was down is found later. */
  const configuration = () => {
    discovered ??= discover(settings, place.allowHttp).catch((error: unknown) => {
      discovered = null
      throw new OidcUnreachable('the OIDC provider cannot be reached', { cause: error })
    })
    return discovered
  }
  return {
    async begin() {
      const secrets = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      }
      const url = oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri: place.callbackUrl,
        scope: 'openid email profile',
        code_challenge: await oidc.calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
        state: secrets.state,
        nonce: secrets.nonce,
      })
      return { ...secrets, url: url.href }
    },
    async finish(answer, secrets) {
      const provider = await configuration()
      try {
        const tokens = await oidc.authorizationCodeGrant(
          provider,
          new URL(`${place.callbackUrl}?${answer}`),
          {
            pkceCodeVerifier: secrets.codeVerifier,
            expectedNonce: secrets.nonce,
            expectedState: secrets.state,
            idTokenExpected: true,
          },
        )
        const claims = tokens.claims()
        if (!claims) throw new OidcRefused('the provider gave no id token')
        const profile =
          claims['email'] === undefined
            ? await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub)
            : {}
        return presentClaims({ ...profile, ...claims }, settings.roleClaim)
      } catch (error) {
        throw isNetworkFailure(error)
          ? new OidcUnreachable('the OIDC provider cannot be reached', { cause: error })
          : new OidcRefused('the OIDC answer was refused', { cause: error })
      }
    },
  }
}

async function discover(settings: Settings, allowHttp: boolean): Promise<oidc.Configuration> {
  return oidc.discovery(
    new URL(settings.issuer),
    settings.clientId,
    settings.clientSecret,
    undefined,
    { timeout: timeoutSeconds, execute: allowHttp ? [oidc.allowInsecureRequests] : [] },
  )
}

function presentClaims(
  claims: Readonly<Record<string, unknown>> & { sub: string },
  roleClaim: string | undefined,
): OidcClaims {
  return {
    sub: claims.sub,
    email: textOf(claims['email']),
    emailVerified: claims['email_verified'] === true,
    firstName: textOf(claims['given_name']) ?? textOf(claims['name']),
    lastName: textOf(claims['family_name']),
    picture: textOf(claims['picture']),
    role: roleClaim === undefined ? undefined : claims[roleClaim],
  }
}

function textOf(claim: unknown): string | null {
  return typeof claim === 'string' && claim.trim() !== '' ? claim.trim() : null
}

/** fetch reports a broken connection as a TypeError, and openid-client a late answer as OAUTH_TIMEOUT. */
function isNetworkFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  return code === 'OAUTH_TIMEOUT' || (error instanceof TypeError && code === undefined)
}
