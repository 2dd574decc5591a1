/** The web client: its built files, and its one page, to be sent for every address that is nobody else's. */
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { referralCookies } from '../features/accounts/referral-cookies.ts'
import { problem } from '../problem.ts'
import { setCookie } from './set-cookie.ts'
import { loadWebPage } from './web-page.ts'

export async function mountWeb(app: FastifyInstance, ctx: Context, folder: string) {
  const page = await loadWebPage(folder)
  await app.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    cacheControl: false,
    setHeaders: (reply, path) => void reply.header('cache-control', cacheControlOf(path)),
  })
  const sendPage = (request: FastifyRequest, reply: FastifyReply) => {
    if (isApi(request.url) || !isPageRequest(request)) throw problem.notFound()
    for (const cookie of referralCookies(request.url)) setCookie(ctx, reply, cookie)
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(page.html)
  }
  app.get('/', sendPage)
  return sendPage
}

/** Built files carry a hash of their content in their name. */
function cacheControlOf(path: string): string {
  return path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
}

function isApi(url: string): boolean {
  return /^\/(api|media)(\/|\?|$)/.test(url)
}

/** A missing file is a 404, not a page that pretends to be it. */
function isPageRequest(request: FastifyRequest): boolean {
  const [path = ''] = request.url.split('?', 1)
  return (request.method === 'GET' || request.method === 'HEAD') && !/\.\w{1,5}$/.test(path)
}
