/** Sends a request to a payment provider, with limits on time and answer size, and without redirects. */
import { ProviderUnavailable } from '../payment-method.ts'

export type Fetch = typeof globalThis.fetch

const maxAnswerBytes = 1_048_576

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
      // A redirect could send our credentials to any address.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, json: parse(await read(response)) }
  } catch {
    // The caught error is dropped: it may contain the URL, which holds the token for Telegram.
    throw new ProviderUnavailable(`${provider} cannot be reached or took too long`)
  }
}

async function read(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let receivedBytes = 0
  for await (const chunk of response.body ?? []) {
    receivedBytes += chunk.byteLength
    if (receivedBytes > maxAnswerBytes) throw new Error('sent a response that is too long')
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
