/**
 * The built web client on a free port, under the strictest content policy that it supports. Tests of the
 * client alone use it and route the API requests themselves.
 */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { loadWebPage } from '../../src/server/features/pages/web-page.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

export type WebSite = { readonly url: string; close(): Promise<void> }

export async function serveWebSite(distDir: string): Promise<WebSite> {
  const page = await loadWebPage(distDir)
  const server = createServer((request, response) => {
    void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The URL parser has resolved every '..', so the path stays inside the folder.
    const path = new URL(request.url ?? '/', 'http://site').pathname
    const type = mediaTypes[extname(path)]
    const body =
      type === undefined ? page.render({ language: 'en' }) : await contentOf(join(distDir, path))
    response.writeHead(body === null ? 404 : 200, {
      'content-type': type ?? 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
    })
    response.end(body)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function contentOf(file: string): Promise<Buffer | null> {
  return readFile(file).catch(() => null)
}
