/** GET /covers/<seed>.svg: the designed covers of sessions, drawn from their address alone. */
import type { FastifyInstance } from 'fastify'
import { drawCover } from './covers.ts'
import { problem } from '../../http/problem.ts'

export function mountCovers(app: FastifyInstance): void {
  app.get<{ Params: { file: string } }>('/covers/:file', async (request, reply) => {
    const [, seed] = /^([0-9a-f]{16})\.svg$/.exec(request.params.file) ?? []
    if (seed === undefined) throw problem.notFound()
    return reply
      .type('image/svg+xml')
      .headers({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
        'cross-origin-resource-policy': 'cross-origin',
      })
      .send(drawCover(seed))
  })
}
