/** The HTTP side of a node: security headers, cookies, bodies, every endpoint, media, the web client. */
import fastifyCompress from '@fastify/compress'
import fastifyCookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import { endpoints } from '../../contract/api.ts'
import type { Context } from '../context.ts'
import { problem } from '../problem.ts'
import { leaveBodies } from './body.ts'
import { mountCovers } from './cover-routes.ts'
import { answerError } from './errors.ts'
import { isKnownHost } from './known-host.ts'
import { mountMedia } from './media-routes.ts'
import { mount } from './mount.ts'
import type { Route } from './route.ts'
import { securityHeaders } from './security-headers.ts'
import { createHttpServer } from './server.ts'
import { mountWeb } from './web-routes.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface FastifyContextConfig {
    /** The endpoint's name, for the figures. */
    name?: string
  }
}

export async function createApp(
  ctx: Context,
  routes: readonly Route[],
  webFolder: string | null,
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: ctx.log,
    serverFactory: createHttpServer,
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
  await app.register(fastifyCompress, {
    threshold: 2048,
    // Bodies that come packed are unpacked where they are read.
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    // An event stream is not to wait until there is enough to compress.
    customTypes:
      /^(text\/(html|plain|css|javascript)|application\/(json|javascript)|image\/svg\+xml)/,
  })
  await app.register(fastifyCookie)
  leaveBodies(app)
  const { production, baseUrl } = ctx.config
  const fixedHeaders = securityHeaders(production)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(fixedHeaders).header('x-request-id', request.id)
    const isKnown = production || isKnownHost(request.headers.host, baseUrl)
    done(isKnown ? undefined : problem.unknownHost())
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime } = reply
    const { name } = request.routeOptions.config
    if (name !== undefined) ctx.metrics.requestDone(name, status, elapsedTime / 1000)
    request.log.info({ req: request, status, ms: Math.round(elapsedTime) }, 'answered')
    done()
  })
  for (const route of routes) mount(app, ctx, nameOf(route), route)
  mountMedia(app, ctx)
  mountCovers(app)
  ctx.demo?.mount(app)
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
