/**
 * An OpenAI-compatible server on 127.0.0.1 that replies as configured and records its requests. /elsewhere
 * always returns a caption, for clients that follow a redirect.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { z } from 'zod'

/** A text is a caption, an object is a response, a function writes the response itself. */
export type CaptionReply =
  | string
  | { status?: number; headers?: Record<string, string>; body: unknown }
  | ((response: ServerResponse) => unknown)

export type CaptionAsked = {
  readonly model: string
  readonly system: string
  readonly user: string
  /** The picture as a data URL. */
  readonly picture: string | null
  readonly headers: IncomingMessage['headers']
  readonly body: Record<string, unknown>
}

const content = z.union([
  z.string(),
  z.array(
    z.object({
      type: z.string(),
      text: z.string().optional(),
      image_url: z.object({ url: z.string() }).optional(),
    }),
  ),
])
const request = z.looseObject({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content })),
})

export const plainCaption = 'Look at the light on the water, and stay with it for one slow breath.'

export async function serveCaptions() {
  const asked: CaptionAsked[] = []
  let replies: CaptionReply[] = []
  let decide: (asked: CaptionAsked) => CaptionReply = () => plainCaption
  const server = createServer((incoming, response) => {
    void answer(incoming, response)
  })

  async function answer(incoming: IncomingMessage, response: ServerResponse) {
    const body = request.parse(await json(incoming))
    const entry = readRequest(body, incoming.headers)
    asked.push(entry)
    const reply = incoming.url === '/elsewhere' ? plainCaption : (replies.shift() ?? decide(entry))
    if (typeof reply === 'function') return void reply(response)
    const {
      status = 200,
      headers = {},
      body: sent,
    } = typeof reply === 'string' ? { body: completion({ content: reply }) } : reply
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof sent === 'string' ? sent : JSON.stringify(sent))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    /** Ends with /v1, as the setting requires. */
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    /** Sets the replies to the next requests, in order. */
    reply: (...next: CaptionReply[]) => void replies.push(...next),
    /** Sets the reply to every other request. */
    always: (reply: CaptionReply) => void (decide = () => reply),
    /** Sets a function that chooses the reply to every other request. */
    decide: (choose: typeof decide) => void (decide = choose),
    reset() {
      asked.length = 0
      replies = []
      decide = () => plainCaption
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

export type CaptionServer = Awaited<ReturnType<typeof serveCaptions>>

export function completion(message: Record<string, unknown>, finishReason = 'stop') {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_770_000_000,
    model: 'test-model',
    choices: [
      { index: 0, finish_reason: finishReason, message: { role: 'assistant', ...message } },
    ],
  }
}

export const policyRefusal: CaptionReply = {
  status: 400,
  body: {
    error: {
      message: 'Your request was rejected as a result of our safety system.',
      type: 'invalid_request_error',
      param: null,
      code: 'content_policy_violation',
    },
  },
}

function readRequest(
  body: z.output<typeof request>,
  headers: IncomingMessage['headers'],
): CaptionAsked {
  const of = (role: string) => body.messages.find((message) => message.role === role)?.content ?? ''
  const user = of('user')
  const parts = typeof user === 'string' ? [{ type: 'text', text: user }] : user
  const pictures = parts.flatMap((part) => ('image_url' in part ? (part.image_url?.url ?? []) : []))
  return {
    model: body.model,
    system: z.string().parse(of('system')),
    user: parts.flatMap(({ text }) => text ?? []).join('\n'),
    picture: pictures[0] ?? null,
    headers,
    body,
  }
}
