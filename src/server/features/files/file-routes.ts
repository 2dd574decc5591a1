/** GET /media/<bucket>/<key>?g=<grant>&s=<signature>: stored files, for whoever holds their capability URL. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { serveMediaFile } from '../../http/media/media-files.ts'
import type { MediaAddress } from '../../http/media/media-url.ts'
import { readMediaAddress } from '../../http/media/media-url.ts'
import { problem } from '../../http/problem.ts'
import { visitorOf } from '../../http/visitor.ts'
import { findSignedInUser } from '../accounts/accounts.ts'
import { isOpen } from './address-access.ts'

export function mountFiles(app: FastifyInstance, ctx: Context): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/:bucket/*',
    async handler(request, reply) {
      const address = addressOf(ctx, request)
      const findViewer = async () => {
        // Keys open no files of themselves, and no cookie is looked at beside one.
        const { cookies } = visitorOf(request, ctx.config.trustedProxies)
        const user = await findSignedInUser(ctx, cookies)
        return user?.isActive ? user : null
      }
      if (!address || !(await isOpen(ctx, address, findViewer))) throw problem.notFound()
      const { file, grant } = address
      const answer = await serveMediaFile({
        storage: ctx.storage,
        ...file,
        // What may end at any time is asked for again soon; only the owner's own stays.
        keptFor: grant === null && file.bucket === 'user-media' ? 'good' : 'a-minute',
        method: request.method === 'HEAD' ? 'HEAD' : 'GET',
        headers: {
          range: request.headers.range,
          ifNoneMatch: request.headers['if-none-match'],
          ifRange: request.headers['if-range']?.toString(),
        },
      })
      if (answer.status === 404) throw problem.notFound()
      return reply.status(answer.status).headers(answer.headers).send(answer.body)
    },
  })
}

function addressOf(ctx: Context, request: FastifyRequest): MediaAddress | null {
  const { bucket, '*': key } = request.params as { bucket: string; '*': string }
  const { g: grant, s: signature } = request.query as { g?: unknown; s?: unknown }
  return readMediaAddress({
    secrets: ctx.config.sessionSecrets,
    bucket,
    key,
    grant,
    signature,
  })
}
