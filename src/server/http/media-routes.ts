/** GET /media/<bucket>/<key>?s=<signature>: stored files, for whoever holds their capability URL. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { findSignedInUser } from '../features/accounts/sign-ins.ts'
import { isForgotten } from '../features/files/unclaimed-files.ts'
import { mayFetch } from '../features/moderation/hidden.ts'
import { isBucket } from '../platform/storage.ts'
import { problem } from '../problem.ts'
import { serveMediaFile } from './media-files.ts'
import { verifyMediaSignature } from './media-url.ts'

export function mountMedia(app: FastifyInstance, ctx: Context): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/:bucket/*',
    async handler(request, reply) {
      const { bucket, key } = addressOf(request)
      const { s: signature } = request.query as { s?: unknown }
      const secret = ctx.config.sessionSecret
      if (!isBucket(bucket) || !verifyMediaSignature({ secret, bucket, key, signature }))
        throw problem.notFound()
      const findViewer = async () => {
        const user = await findSignedInUser(ctx, request.cookies)
        return user?.isActive ? user : null
      }
      const [isAllowed, isGone] = await Promise.all([
        mayFetch(ctx, { bucket, key }, findViewer),
        isForgotten(ctx, { bucket, key }),
      ])
      if (!isAllowed || isGone) throw problem.notFound()
      const answer = await serveMediaFile({
        storage: ctx.storage,
        bucket,
        key,
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

function addressOf(request: FastifyRequest) {
  const { bucket, '*': key } = request.params as { bucket: string; '*': string }
  return { bucket, key }
}
