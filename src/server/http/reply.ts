/** What a handler may answer beside a plain body: cookies with it, a redirect, a paid effect, a stream. */
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'

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
    // A header takes ASCII only; what is escaped already stays as it is.
    this.location = location.replaceAll(/[^!-~]+/g, (text) =>
      encodeURIComponent(text.toWellFormed()),
    )
    this.cookies = options.cookies ?? []
    this.failed = options.failed ?? false
  }
}

/** `wasSent` is false where the caller had hung up. */
export type Afterwards = (outcome: { readonly wasSent: boolean }) => Promise<void>

/** The answer to a paid call. Only `settle` makes one, so that no paid call forgets to. */
export class Settled<Body> {
  readonly body: Body
  /** What happens once the answer has left, or nobody waits for it any more. */
  readonly afterwards: Afterwards | null

  constructor(body: Body, afterwards: Afterwards | null = null) {
    this.body = body
    this.afterwards = afterwards
  }

  followedBy(afterwards: Afterwards): Settled<Body> {
    return new Settled(this.body, afterwards)
  }
}

/** JSON that the database has written already. Tests parse it with the schema that stands for it. */
export class JsonText {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>

  constructor(text: string, headers: Readonly<Record<string, string>> = {}) {
    this.text = text
    this.headers = headers
  }
}

/** The caller has it already, as their If-None-Match says. */
export class NotModified {
  readonly headers: Readonly<Record<string, string>>

  constructor(headers: Readonly<Record<string, string>>) {
    this.headers = headers
  }
}

/** A file that is made or read while it is sent. */
export class FileStream {
  readonly content: Readable
  readonly headers: Readonly<Record<string, string>>

  constructor(content: Readable, headers: Readonly<Record<string, string>>) {
    this.content = content
    this.headers = headers
  }
}

/** Server-sent events, for as long as the client listens. */
export class EventStream {
  readonly content: Readable

  constructor(content: Readable) {
    this.content = content
  }
}

/** How every cookie of ours is set: for this site only, and out of the reach of scripts. */
export function setCookie(ctx: Context, reply: FastifyReply, cookie: Cookie): void {
  const options = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax' as const,
    secure: ctx.config.production,
  }
  if (cookie.value === null) void reply.clearCookie(cookie.name, options)
  else
    void reply.setCookie(cookie.name, cookie.value, { ...options, maxAge: cookie.maxAgeMs / 1000 })
}
