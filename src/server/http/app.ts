/** The HTTP server of a node: security headers, cookies, bodies, and the routes of the features. */
import type { RequestListener, Server } from 'node:http'
import fastifyCompress from '@fastify/compress'
import fastifyCookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import { endpoints } from '../../contract/api.ts'
import type { Context } from '../context.ts'
import { isKnownHost } from '../platform/client-ip.ts'
import { watchBodies } from './bodies/body-pace.ts'
import { skipBodyParsing } from './bodies/body.ts'
import type { Callers } from './caller.ts'
import { answerError } from './errors.ts'
import { mount } from './mount.ts'
import { problem } from './problem.ts'
import type { Route } from './route.ts'
import { securityHeaders } from './security-headers.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merging needs an interface
  interface FastifyContextConfig {
    /** The endpoint's name, for the metrics. */
    name?: string
  }
}

/** A function that adds routes outside the contract: files, covers, pages. */
export type Mount = (app: FastifyInstance, ctx: Context) => void | Promise<void>

export type Served = {
  readonly routes: readonly Route[]
  readonly mounts: readonly Mount[]
  readonly callers: Callers
}

/** The contract's own schemas validate requests and responses, so Fastify's compilers are not loaded. */
const noCompilers = {
  buildValidator: refuseSchema,
  buildSerializer: refuseSchema,
}

function refuseSchema(): never {
  throw new Error('the contract validates requests: a route must not have a Fastify schema')
}

export async function createApp(
  ctx: Context,
  { routes, mounts, callers }: Served,
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
    schemaController: { compilersFactory: noCompilers },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 500 },
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  })
  app.setErrorHandler(answerError)
  await app.register(fastifyCompress, {
    threshold: 2048,
    // Compressed bodies are decompressed where they are read.
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    // Event streams are not listed: compression would buffer their events.
    customTypes:
      /^(text\/(html|plain|css|javascript)|application\/(json|javascript)|image\/svg\+xml)/,
  })
  await app.register(fastifyCookie)
  skipBodyParsing(app)
  const { production, baseUrl } = ctx.config
  const fixedHeaders = securityHeaders(ctx.config)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(fixedHeaders).header('x-request-id', request.id)
    const isKnown = production || isKnownHost(request.headers.host, baseUrl)
    done(isKnown ? undefined : problem.unknownHost())
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime } = reply
    const { name } = request.routeOptions.config
    if (name !== undefined) ctx.metrics.requestDone(name, status, elapsedTime / 1000)
    request.log.info(
      { event: 'request', req: request, status, ms: Math.round(elapsedTime) },
      'answered',
    )
    done()
  })
  for (const route of routes) mount(app, ctx, nameOf(route), route, callers)
  for (const put of mounts) await put(app, ctx)
  return app
}

function nameOf({ endpoint }: Route): string {
  return endpoints.find((entry) => entry.endpoint === endpoint)?.name ?? endpoint.path
}

// Together below 30 seconds, after which a connection that sends its headers too slowly is closed.
const headersTimeoutMs = 20_000
const checkMs = 5000
const keepAliveTimeoutMs = 72_000

// An import statement would evaluate all exports of the module, including Node's fetch: 50 ms of a start.
const { createServer } = process.getBuiltinModule('node:http')

/** Creates the server, with the timeouts for headers and the watch over bodies. */
function createHttpServer(handler: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: checkMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      // Bodies have no fixed time limit: a library of gigabytes may take hours.
      requestTimeout: 0,
    },
    handler,
  )
  server.once('close', watchBodies(server))
  return server
}
