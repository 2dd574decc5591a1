/**
 * Serves GET /media/<bucket or 'folder'>/<key>?g=<grant>&s=<signature>: files, to every holder of a
 * signed URL.
 */
import { ReadStream } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { MediaAnswer, MediaRequest } from '../../http/media/media-files.ts'
import { serveMediaFile } from '../../http/media/media-files.ts'
import { readMediaAddress, readOutsideAddress } from '../../http/media/media-url.ts'
import { problem } from '../../http/problem.ts'
import { isOpen, openFolderMedia } from './address-access.ts'
import { claimOf, findViewer } from './media-request.ts'

export function mountFiles(app: FastifyInstance, ctx: Context): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/media/:bucket/*',
    async handler(request, reply) {
      const { bucket } = request.params as { bucket: string }
      const address = readMediaAddress({ ...claimOf(ctx, request), bucket })
      if (!address || !(await isOpen(ctx, address, () => findViewer(ctx, request))))
        throw problem.notFound()
      const { file, grant } = address
      const answer = await serveMediaFile({
        storage: ctx.storage,
        ...file,
        // Access by a grant can end at any time, so clients ask again soon. Only the owner's own files
        // are cached for long.
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
      const address = readOutsideAddress('folder', claimOf(ctx, request))
      const media = address && (await openFolderMedia(ctx, address))
      if (!media) throw problem.notFound()
      // The file may be overwritten at any time under the same address.
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
  if (body instanceof ReadStream) endWhereCutShort(reply, body, Number(headers['content-length']))
  return reply.status(status).headers(headers).send(body)
}

/**
 * Closes the connection if the file was truncated while it was sent. Otherwise the client would wait
 * for the missing bytes.
 */
function endWhereCutShort({ raw }: FastifyReply, body: ReadStream, promised: number): void {
  // Read it now: a finished response no longer has a socket.
  const { socket } = raw
  raw.once('finish', () => {
    if (body.bytesRead < promised) socket?.destroy()
  })
}
