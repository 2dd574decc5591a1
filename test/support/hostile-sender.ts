/** Sends a hostile request unchanged and judges the response. */
import type { Agent } from 'node:http'
import { request } from 'node:http'
import type { HostileRequest } from './hostile-requests.ts'

const patienceMs = 40_000

export type Outcome = {
  readonly status: number
  readonly text: string
  readonly error: string | null
}

/** Returns null for an acceptable response. */
export function complaintOf(
  { operation }: HostileRequest,
  { status, text, error }: Outcome,
  folder: string,
): string | null {
  if (error !== null) return `${operation.id} ${error}`
  // oEmbed 1.0 requires 501 for a format that is not offered.
  const isNamed = [501, 503].includes(status) && operation.statuses.includes(status)
  if (status >= 500 && !isNamed) return `${operation.id} ${status}`
  const isTelling = text.includes(folder) || /\bat \S.*\.[jt]s:\d+/.test(text)
  return isTelling ? `${operation.id} tells a path` : null
}

/** Always resolves. It leaves an event stream as soon as it has started. */
export function sendHostile(
  url: string,
  agent: Agent,
  { operation, path, headers, body }: HostileRequest,
  cookie: string,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let isAnswered = false
    const asked = request(
      `${url}/`,
      {
        agent,
        method: operation.method,
        path,
        headers: {
          ...headers,
          ...(cookie === '' ? {} : { cookie }),
          ...(body ? { 'content-length': String(body.length) } : {}),
        },
        signal: AbortSignal.timeout(patienceMs),
      },
      (response) => {
        isAnswered = true
        const { statusCode: status = 0 } = response
        // An event stream would not end while a client listens.
        if (response.headers['content-type'] === 'text/event-stream') {
          resolve({ status, text: '', error: null })
          return void asked.destroy()
        }
        let text = ''
        response.on('data', (chunk: Buffer) => void (text += chunk.toString().slice(0, 4000)))
        response.on('end', () => resolve({ status, text, error: null }))
        response.on('error', () => resolve({ status, text, error: 'broke its answer off' }))
      },
    )
    // After an early response the rest of the body may fail to send.
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (isAnswered) return
      const words = error.name === 'TimeoutError' ? 'hung' : `dropped (${error.code})`
      resolve({ status: 0, text: '', error: error.code === 'ABORT_ERR' ? 'hung' : words })
    })
    asked.end(body)
  })
}
