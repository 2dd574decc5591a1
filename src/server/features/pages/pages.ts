/** Serves the web client: its built files, and its one page for every address without another handler. */
import { join, resolve } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Visitor } from '../../http/caller.ts'
import { languageFor } from '../../http/page-language.ts'
import { problem } from '../../http/problem.ts'
import { readPublicly } from '../../http/public-reads.ts'
import { setCookie } from '../../http/reply.ts'
import { framedPageHeaders, workerPolicy } from '../../http/security-headers.ts'
import { visitorOf } from '../../http/visitor.ts'
import { hasSignedCookie, referralCookies } from '../accounts/accounts.ts'
import { parseLinkPath } from '../sharing/sharing.ts'
import { settingDefaults } from '../settings/settings.ts'
import type { Site } from '../site/site.ts'
import { describeSite } from '../site/site.ts'
import { keepBuild } from './kept-builds.ts'
import { headOfLink, siteOpenGraph } from './link-head.ts'
import { loadBeginnings } from './page-beginnings.ts'
import { loadWebPage } from './web-page.ts'

/** Serves the pages. Without a folder there are none, and unknown addresses return 404. */
export async function mountPages(
  app: FastifyInstance,
  ctx: Context,
  folder: string | null,
): Promise<void> {
  if (folder === null) {
    app.setNotFoundHandler(refuse)
    return
  }
  const page = await loadWebPage(folder)
  const beginningOf = await loadBeginnings(folder, ctx.languages)
  const olderBuilds = await keepThisBuild(ctx, folder)
  await app.register(fastifyStatic, {
    root: [folder, ...olderBuilds],
    index: false,
    preCompressed: true,
    wildcard: false,
    cacheControl: false,
    setHeaders(reply, path) {
      void reply.header('cache-control', cacheControlOf(path))
      if (path.endsWith('/service-worker.js'))
        void reply.header('content-security-policy', workerPolicy(ctx.config.production))
    },
  })
  const framedHeaders = framedPageHeaders(ctx.config)
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    if (isApi(request.url) || !isPageRequest(request)) throw problem.notFound()
    const path = pathOf(request)
    const link = parseLinkPath(path)
    const isEmbedded = link?.kind === 'embed'
    // An embedded page has no sign-in and sets no cookies.
    if (!isEmbedded)
      for (const cookie of referralCookies(request.url)) setCookie(ctx, reply, cookie)
    const isVisitor = isEmbedded || !hasSignedCookie(ctx, request.cookies)
    const language = languageFor(ctx.languages, {
      cookies: request.cookies,
      acceptLanguage: request.headers['accept-language'],
    })
    const visitor = visitorOf(request, ctx.config.trustedProxies)
    const site = await siteFor({ ...ctx, log: request.log }, visitor)
    const siteName = site?.name ?? settingDefaults.siteName
    const head = link && (await headOfLink(ctx, link, { visitor, url: request.url, siteName }))
    const html = page.render({
      ...(!isEmbedded && { openGraph: siteOpenGraph(ctx, siteName) }),
      ...head,
      language,
      // The picture precedes the scripts, which would take all connections.
      tags: (head?.tags ?? '') + beginningOf(path, { isVisitor, language }),
      isVisitor,
      isEmbedded,
      ...(site && { site }),
    })
    if (isEmbedded) void reply.removeHeader('x-frame-options').headers(framedHeaders)
    return (
      reply
        .type('text/html; charset=utf-8')
        // A page of a link must not be shown from a cache after the link has ended.
        .header('cache-control', link ? 'no-store' : 'no-cache')
        .header('vary', 'cookie, accept-language')
        .send(html)
    )
  }
  app.get('/', sendPage)
  app.setNotFoundHandler(sendPage)
}

/** Returns the folder with the assets of earlier builds too, or none if the data folder is not writable. */
async function keepThisBuild({ config, log }: Context, webFolder: string): Promise<string[]> {
  const keptFolder = join(resolve(config.dataDir), 'web-builds')
  try {
    await keepBuild(webFolder, keptFolder)
    return [keptFolder]
  } catch (error) {
    log.warn(
      { event: 'build_not_kept', err: error },
      'failed to keep this build: pages that are open during the next update may fail to load parts of it',
    )
    return []
  }
}

/** Describes the site. A page is sent even without it: its content then says that the service is down. */
async function siteFor(ctx: Context, visitor: Visitor): Promise<Site | null> {
  try {
    return await readPublicly(ctx, visitor, (ctx) => describeSite(ctx, visitor))
  } catch (error) {
    ctx.log.warn(
      { event: 'site_unknown', err: error },
      'failed to read the site settings for a page',
    )
    return null
  }
}

function refuse(): never {
  throw problem.notFound()
}

/** Names of built files contain a hash of their content. */
function cacheControlOf(path: string): string {
  return path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
}

function isApi(url: string): boolean {
  return /^\/(api|media)(\/|\?|$)/.test(url)
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}

/** False for a path with a file extension: a missing file returns 404, not the page. */
function isPageRequest(request: FastifyRequest): boolean {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead && !/\.\w{1,5}$/.test(pathOf(request))
}
