/** One question to a payment provider: in a bounded time, for a bounded answer, and without a redirect. */
import { ProviderUnavailable } from '../payment-method.ts'

export type Fetch = typeof globalThis.fetch

const mostAnswerBytes = 1_048_576

export async function postJson(
  fetch: Fetch,
  provider: string,
  question: { url: string; headers?: Record<string, string>; body: object; timeoutMs: number },
): Promise<{ status: number; json: unknown }> {
  const { url, headers = {}, body, timeoutMs } = question
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
      // A redirect would carry our credentials to wherever it likes.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, json: parse(await read(response)) }
  } catch {
    // What was caught is dropped: it can name the address, which for Telegram holds the token.
    throw new ProviderUnavailable(`${provider} cannot be reached, or takes too long`)
  }
}

async function read(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let receivedBytes = 0
  for await (const chunk of response.body ?? []) {
    receivedBytes += chunk.byteLength
    if (receivedBytes > mostAnswerBytes) throw new Error('answers at endless length')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
