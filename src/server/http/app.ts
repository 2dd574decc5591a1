/** The HTTP side of a node: security headers, cookies, bodies, every endpoint, media, the web client. */
import { createHash } from 'node:crypto'
import fastifyCompress from '@fastify/compress'
import fastifyCookie from '@fastify/cookie'
import fastifyHelmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import { endpoints } from '../../contract/api.ts'
import type { Context } from '../context.ts'
import { problem } from '../problem.ts'
import { readBodies } from './body.ts'
import { mountCovers } from './cover-routes.ts'
import { docsStyle } from './docs-page.ts'
import { answerError } from './errors.ts'
import { mountMedia } from './media-routes.ts'
import { mount } from './mount.ts'
import type { Route } from './route.ts'
import { mountWeb } from './web-routes.ts'

const docsStyleHash = createHash('sha256').update(docsStyle).digest('base64')
// A 100 MB upload over a slow line takes this long; whoever takes longer is not uploading.
const slowestRequestMs = 15 * 60 * 1000
const jsonBodyLimitBytes = 1_048_576

export async function createApp(
  ctx: Context,
  routes: readonly Route[],
  webFolder: string | null,
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: ctx.log,
    bodyLimit: jsonBodyLimitBytes,
    requestTimeout: slowestRequestMs,
    genReqId: ctx.newId,
    logController: new Fastify.LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 500 },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  })
  app.setErrorHandler(answerError)
  await app.register(fastifyHelmet, securityHeaders(ctx))
  await app.register(fastifyCompress, {
    threshold: 1024,
    encodings: ['br', 'gzip'],
    // An event stream is not to wait until there is enough to compress.
    customTypes:
      /^(text\/(html|plain|css|javascript)|application\/(json|javascript)|image\/svg\+xml)/,
  })
  await app.register(fastifyCookie)
  readBodies(app)
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status, elapsedTime } = reply
    request.log.info({ req: request, status, ms: Math.round(elapsedTime) }, 'answered')
  })
  for (const route of routes) mount(app, ctx, nameOf(route), route)
  mountMedia(app, ctx)
  mountCovers(app)
  const sendPage = webFolder === null ? refusePage : await mountWeb(app, ctx, webFolder)
  app.setNotFoundHandler(sendPage)
  return app
}

function nameOf({ endpoint }: Route): string {
  return endpoints.find((entry) => entry.endpoint === endpoint)?.name ?? endpoint.path
}

function refusePage(): never {
  throw problem.notFound()
}

function securityHeaders(ctx: Context) {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", `'sha256-${docsStyleHash}'`],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        // Feed slides are shown from where they are.
        imgSrc: ["'self'", 'data:', 'blob:', 'https:', ...(ctx.config.production ? [] : ['http:'])],
        mediaSrc: ["'self'", 'blob:', 'https:', ...(ctx.config.production ? [] : ['http:'])],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    crossOriginResourcePolicy: { policy: 'same-origin' as const },
    referrerPolicy: { policy: 'same-origin' as const },
    strictTransportSecurity: ctx.config.production ? { maxAge: 31_536_000 } : false,
    xFrameOptions: { action: 'deny' as const },
  }
}
