/**
 * Serves GET /media/<bucket or 'folder'>/<key>?g=<grant>&s=<signature>: files, to every holder of a
 * signed URL.
 */
import { ReadStream } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { MediaRequest } from '../../http/media/media-files.ts'
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
      return sendFile(request, reply, {
        storage: ctx.storage,
        ...file,
        // Access by a grant can end at any time, so clients ask again soon. Only the owner's own files
        // are cached for long.
        keptFor: grant === null && file.bucket === 'user-media' ? 'good' : 'a-minute',
      })
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
      return sendFile(request, reply, { ...media, keptFor: 'a-minute' })
    },
  })
}

/** Sends a stored file, or the part of it that the request asks for. Access was checked before. */
export async function sendFile(
  { method, headers: asked }: FastifyRequest,
  reply: FastifyReply,
  file: Omit<MediaRequest, 'method' | 'headers'>,
): Promise<FastifyReply> {
  const { status, headers, body } = await serveMediaFile({
    ...file,
    method: method === 'HEAD' ? 'HEAD' : 'GET',
    headers: {
      range: asked.range,
      ifNoneMatch: asked['if-none-match'],
      ifRange: asked['if-range']?.toString(),
    },
  })
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
