/** A composition as in tutorials: both pictures are composited onto a canvas with sharp's defaults. */
import { createHmac, randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { RequestHandler, Router } from 'express'
import express from 'express'
import sharp from 'sharp'
import { requireUser } from './sign-in.ts'
import { spend } from './spending.ts'

const folder = join(process.env['DATA_DIR'] ?? '.', 'conventional')
const composition = { featureKey: 'babecock_generate', description: 'Composition' }

export function imageRouter(db: NodePgDatabase): Router {
  const router = express.Router()
  router.post('/api/babecock/generate', requireUser(db), makeComposition(db))
  return router
}

function makeComposition(db: NodePgDatabase): RequestHandler {
  return async (request, response) => {
    const userId = response.locals.user.id
    const { babeImageUrl, cockImageUrl } = request.body as Record<string, string>
    const { data, info } = await compose(pathOf(babeImageUrl), pathOf(cockImageUrl))
    const key = `users/${userId}/Temporary/${randomUUID()}.jpg`
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, key.replaceAll('/', '-')), data)
    if (!(await db.transaction((transaction) => spend(transaction, userId, composition)))) {
      response.status(402).json({ error: 'Insufficient credits' })
      return
    }
    response.json({
      success: true,
      imageUrl: `/media/user-media/${key}?s=${signatureOf(key)}`,
      layout: 'side-by-side',
      dimensions: { width: info.width, height: info.height },
    })
  }
}

async function compose(first: string, second: string) {
  const [left, right] = await Promise.all([sharp(first).metadata(), sharp(second).metadata()])
  const height = Math.min(left.height, right.height)
  const canvas = { width: left.width + right.width, height, channels: 3 as const }
  return sharp({ create: { ...canvas, background: 'black' } })
    .composite([
      { input: first, left: 0, top: 0 },
      { input: second, left: left.width, top: 0 },
    ])
    .jpeg({ quality: 90 })
    .toBuffer({ resolveWithObject: true })
}

/** Maps our URL to our file: this contender reads the same pictures. */
function pathOf(url = ''): string {
  const [, key = ''] = /^\/media\/(.+)\?/.exec(url) ?? []
  return join(process.env['DATA_DIR'] ?? '.', 'storage', key)
}

function signatureOf(key: string): string {
  const digest = createHmac('sha256', process.env['SESSION_SECRET'] ?? '')
    .update(key)
    .digest()
  return digest.subarray(0, 18).toString('base64url')
}
