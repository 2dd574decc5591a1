// oidc-provider has no types; these are the parts that the test server uses.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  type Context = { body: Record<string, unknown>; oidc: { client: Client; session: Session } }
  type Client = { clientId: string }
  type Session = { accountId: string }
  type Grant = { addOIDCScope(scope: string): void; save(): Promise<string> }
  type Account = {
    accountId: string
    claims(use: 'id_token' | 'userinfo'): Record<string, unknown>
  }

  export class Provider {
    constructor(
      issuer: string,
      configuration: {
        adapter: new (model: string) => object
        clients: {
          client_id: string
          client_secret: string
          redirect_uris: string[]
          token_endpoint_auth_method: string
        }[]
        claims: Record<string, string[]>
        clientAuthMethods: string[]
        conformIdTokenClaims: boolean
        cookies: { keys: string[] }
        features: Record<string, { enabled: boolean }>
        findAccount(ctx: Context, subject: string): Account | undefined
        interactions: { url(ctx: Context, interaction: { uid: string }): string }
        jwks: { keys: object[] }
        loadExistingGrant(ctx: Context): Promise<Grant>
        pkce: { required(): boolean }
        ttl: Record<string, number>
      },
    )
    readonly Grant: new (grant: { clientId: string; accountId: string }) => Grant
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: { login: { accountId: string } } | { error: string },
    ): Promise<void>
    on(event: 'grant.success', listener: (ctx: Context) => void): this
    on(event: 'server_error', listener: (ctx: Context, error: Error) => void): this
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  /** The store of one provider. It keeps expired entries for the tolerated difference of clocks. */
  export function createMemoryAdapter(clockToleranceSeconds: number): new (model: string) => object
}
