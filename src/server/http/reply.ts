/** What a handler may answer beside a plain body: cookies with it, or a redirect. */
/** A null value deletes the cookie. */
export type Cookie =
  | { readonly name: string; readonly value: string; readonly maxAgeMs: number }
  | { readonly name: string; readonly value: null }

export class Reply<Body> {
  readonly body: Body
  readonly cookies: readonly Cookie[]

  constructor(body: Body, cookies: readonly Cookie[]) {
    this.body = body
    this.cookies = cookies
  }
}

export class Redirect {
  readonly location: string
  readonly cookies: readonly Cookie[]
  /** A redirect that tells of a failed attempt, so that limits count it as one. */
  readonly failed: boolean

  constructor(location: string, options: { cookies?: readonly Cookie[]; failed?: boolean } = {}) {
    this.location = location
    this.cookies = options.cookies ?? []
    this.failed = options.failed ?? false
  }
}
