/** Drawn covers for sessions that have no picture yet. The same subfeeds always get the same cover. */
import type { FastifyInstance } from 'fastify'
import { problem } from '../../http/problem.ts'
import { sha256 } from '../../platform/signature.ts'

const palettes = [
  ['#2b1a12', '#7a3b1c', '#f4b653'],
  ['#0f1c24', '#1f5566', '#e9c46a'],
  ['#1c1426', '#5b3a7a', '#f2a65a'],
  ['#12201a', '#2f6b4f', '#f1d08a'],
  ['#241016', '#8a2f45', '#f6b89a'],
  ['#10162a', '#34508c', '#f4d58d'],
] as const

export function coverUrl(subfeeds: readonly string[]): string {
  return `/covers/${sha256(subfeeds.join(',')).toString('hex').slice(0, 16)}.svg`
}

/** Draws hills under the light of a lamp. `seed` is 16 hex digits. */
export function drawCover(seed: string): string {
  const numbers = Array.from({ length: 8 }, (_, index) =>
    Number.parseInt(seed.slice(index * 2, index * 2 + 2), 16),
  )
  const at = (index: number) => (numbers[index] ?? 0) / 255
  const [night, hill, lamp] = palettes[(numbers[0] ?? 0) % palettes.length] ?? palettes[0]
  const lampX = 90 + at(1) * 420
  const lampY = 70 + at(2) * 90
  const slope = (base: number, first: number, second: number) =>
    `M0 ${base + at(first) * 60} C 160 ${base - 70 + at(second) * 80}, 380 ${base + 60 - at(first) * 90}, 600 ${base + at(second) * 40} V400 H0 Z`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 400" width="600" height="400">
<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${night}"/><stop offset="1" stop-color="${hill}"/></linearGradient>
<radialGradient id="glow"><stop offset="0" stop-color="${lamp}" stop-opacity=".9"/><stop offset=".25" stop-color="${lamp}" stop-opacity=".35"/><stop offset="1" stop-color="${lamp}" stop-opacity="0"/></radialGradient></defs>
<rect width="600" height="400" fill="url(#sky)"/>
<circle cx="${lampX.toFixed(1)}" cy="${lampY.toFixed(1)}" r="${(150 + at(3) * 90).toFixed(1)}" fill="url(#glow)"/>
<circle cx="${lampX.toFixed(1)}" cy="${lampY.toFixed(1)}" r="${(16 + at(4) * 16).toFixed(1)}" fill="${lamp}"/>
<path d="${slope(250, 5, 6)}" fill="${hill}" opacity=".75"/>
<path d="${slope(300, 6, 7)}" fill="${night}" opacity=".8"/>
<path d="${slope(345, 7, 5)}" fill="${night}"/>
</svg>`
}

/** Serves GET /covers/<seed>.svg. The address alone determines the drawing. */
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
