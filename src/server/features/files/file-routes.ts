/** GET /media/<bucket or 'folder'>/<key>?g=<grant>&s=<signature>: files, for whoever holds their capability URL. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { MediaAnswer, MediaRequest } from '../../http/media/media-files.ts'
import { serveMediaFile } from '../../http/media/media-files.ts'
import type { MediaAddress } from '../../http/media/media-url.ts'
import { readFolderAddress, readMediaAddress } from '../../http/media/media-url.ts'
import { problem } from '../../http/problem.ts'
import { visitorOf } from '../../http/visitor.ts'
import { findSignedInUser } from '../accounts/accounts.ts'
import { findFolderMedia } from '../folders/folders.ts'
import { isOpen } from './address-access.ts'
import { isGiven } from './grant-queries.ts'

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
        ...asked(request),
      })
      return send(reply, answer)
    },
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/folder/*',
    async handler(request, reply) {
      const { '*': key } = request.params as { '*': string }
      const { g: grant, s: signature } = request.query as { g?: unknown; s?: unknown }
      const { sessionSecrets: secrets } = ctx.config
      const address = readFolderAddress({ secrets, key, grant, signature })
      const isForOthers = address !== null && address.grant !== null
      if (!address || (isForOthers && !(await isGiven(ctx, address.grant, address.key, 'folder'))))
        throw problem.notFound()
      const media = await findFolderMedia(ctx, address.key, { isForOthers })
      if (!media) throw problem.notFound()
      // The file may be written over at any time, and keeps its address.
      return send(reply, await serveMediaFile({ ...media, keptFor: 'a-minute', ...asked(request) }))
    },
  })
}

function asked(request: FastifyRequest): Pick<MediaRequest, 'method' | 'headers'> {
  return {
    method: request.method === 'HEAD' ? 'HEAD' : 'GET',
    headers: {
      range: request.headers.range,
      ifNoneMatch: request.headers['if-none-match'],
      ifRange: request.headers['if-range']?.toString(),
    },
  }
}

function send(reply: FastifyReply, { status, headers, body }: MediaAnswer): FastifyReply {
  if (status === 404) throw problem.notFound()
  return reply.status(status).headers(headers).send(body)
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
