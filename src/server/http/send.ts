/** Sends the result of a handler as the endpoint declares it. */
import type { FastifyReply } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Context } from '../context.ts'
import {
  EventStream,
  FileStream,
  JsonText,
  NotModified,
  Redirect,
  Reply,
  setCookie,
  Settled,
} from './reply.ts'

export function send(ctx: Context, endpoint: Endpoint, reply: FastifyReply, result: unknown) {
  if (result instanceof Redirect || result instanceof Reply)
    for (const cookie of result.cookies) setCookie(ctx, reply, cookie)
  if (result instanceof Redirect) return reply.redirect(result.location, 302)
  const body = result instanceof Reply || result instanceof Settled ? result.body : result
  const { answer } = endpoint
  if (result instanceof NotModified) return reply.status(304).headers(result.headers).send()
  if (result instanceof JsonText)
    return reply
      .status(answer.status)
      .headers(result.headers)
      .type('application/json; charset=utf-8')
      .send(result.text)
  if (result instanceof EventStream) return sendEvents(reply, result)
  if (result instanceof FileStream) {
    // For a HEAD request the whole file would be created and dropped.
    if (reply.request.method === 'HEAD') result.content.destroy()
    return reply.headers(result.headers).send(result.content)
  }
  if (answer.kind === 'text') return reply.type(answer.mediaType).send(body)
  if (answer.kind !== 'json')
    throw new Error(`${endpoint.path} returned no JSON although its contract declares JSON`)
  return reply.status(answer.status).send(answer.body.parse(body))
}

/** The time for a client to read the last bytes of an ended stream. */
const farewellMs = 5000

function sendEvents(reply: FastifyReply, { content }: EventStream) {
  const { raw } = reply
  raw.once('close', () => content.destroy())
  if (raw.closed || reply.request.method === 'HEAD') content.destroy()
  content.once('close', () => {
    if (raw.closed) return
    const timer = setTimeout(() => raw.destroy(), farewellMs)
    raw.once('close', () => clearTimeout(timer))
  })
  return reply
    .headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    .send(content)
}
