/** The results of a handler besides a plain body: cookies, a redirect, a paid effect, a stream. */
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'

/** A cookie to set. A null value deletes it. */
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
  /** True for a redirect after a failed attempt, so that limits count it as a failure. */
  readonly failed: boolean

  constructor(location: string, options: { cookies?: readonly Cookie[]; failed?: boolean } = {}) {
    // A header is ASCII only; text that is already escaped stays unchanged.
    this.location = location.replaceAll(/[^!-~]+/g, (text) =>
      encodeURIComponent(text.toWellFormed()),
    )
    this.cookies = options.cookies ?? []
    this.failed = options.failed ?? false
  }
}

/** A function that runs after the response. `wasSent` is false if the caller had disconnected. */
export type Afterwards = (outcome: { readonly wasSent: boolean }) => Promise<void>

/** The answer to a paid call. Only `settle` creates one, so no paid call can skip it. */
export class Settled<Body> {
  readonly body: Body
  /** Runs when the response is sent, or the caller has disconnected. */
  readonly afterwards: Afterwards | null

  constructor(body: Body, afterwards: Afterwards | null = null) {
    this.body = body
    this.afterwards = afterwards
  }

  followedBy(afterwards: Afterwards): Settled<Body> {
    return new Settled(this.body, afterwards)
  }
}

/** JSON that the database has written. Tests parse it with the endpoint's schema. */
export class JsonText {
  readonly text: string
  readonly headers: Readonly<Record<string, string>>

  constructor(text: string, headers: Readonly<Record<string, string>> = {}) {
    this.text = text
    this.headers = headers
  }
}

/** A response for a caller whose If-None-Match shows that they have the current version. */
export class NotModified {
  readonly headers: Readonly<Record<string, string>>

  constructor(headers: Readonly<Record<string, string>>) {
    this.headers = headers
  }
}

/** A file that is created or read while it is sent. */
export class FileStream {
  readonly content: Readable
  readonly headers: Readonly<Record<string, string>>

  constructor(content: Readable, headers: Readonly<Record<string, string>>) {
    this.content = content
    this.headers = headers
  }
}

/** Server-sent events, open as long as the client listens. */
export class EventStream {
  readonly content: Readable

  constructor(content: Readable) {
    this.content = content
  }
}

/** Sets a cookie for this site only, not readable by scripts. */
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
