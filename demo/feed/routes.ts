/** GET /demo/<name>: the pictures of the demo feed, painted when they are first requested. */
import type { FastifyInstance } from 'fastify'
import { serveMediaFile } from '../../src/server/http/media/media-files.ts'
import { problem } from '../../src/server/http/problem.ts'
import type { DemoFiles } from './files.ts'
import { currentNameOf } from './former-names.ts'

export function mountFiles(app: FastifyInstance, files: DemoFiles): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/demo/:name',
    async handler(request, reply) {
      const { name } = request.params as { name: string }
      const answer = await serveMediaFile({
        storage: files,
        // No user owns these files, so other sites may embed them.
        bucket: 'general',
        key: currentNameOf(name),
        keptFor: 'good',
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
