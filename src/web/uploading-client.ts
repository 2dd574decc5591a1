/** The typed client with upload progress, which fetch cannot report. */
import { type Client, createClient } from '../client/client.ts'
import { api } from '../contract/api.ts'

/** Calls `onShare` with the sent share of the body, from 0 to 1. */
export function uploadingClient(onShare: (share: number) => void): Client {
  return createClient(api, {
    fetch: (url, init = {}) => send(new Request(url).url, init, onShare),
  })
}

function send(url: string, init: RequestInit, onShare: (share: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(init.method ?? 'GET', url)
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onShare(loaded / total))
    request.addEventListener('error', () => reject(new TypeError('The connection broke off')))
    request.addEventListener('abort', () => reject(new DOMException('Stopped', 'AbortError')))
    request.addEventListener('load', () => resolve(answerOf(request)))
    if (init.signal?.aborted) {
      reject(new DOMException('Stopped', 'AbortError'))
      return
    }
    init.signal?.addEventListener('abort', () => request.abort())
    request.send(init.body instanceof FormData ? init.body : null)
  })
}

function answerOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ')
    return [name, value.join(': ')]
  })
  return new Response(request.responseText, { status: request.status, headers })
}
