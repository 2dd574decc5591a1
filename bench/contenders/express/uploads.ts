/** The endpoint of the uploads benchmark: multer to a folder, a row, the activity log, a job. */
import { createHmac } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { RequestHandler, Router } from 'express'
import express from 'express'
import type { StoredFile } from 'multer'
import multer from 'multer'
import { requireUser } from './sign-in.ts'
import { jobs } from './tables.ts'
import { activityLog, vaultMedia } from './vault-tables.ts'
import { presentFile } from './vault.ts'

const dest = join(process.env['DATA_DIR'] ?? '.', 'conventional')
const uploads = multer({ dest, limits: { fileSize: 100 * 1_048_576 } })
const urlKey = createHmac('sha256', process.env['SESSION_SECRET'] ?? '')
  .update('lanternist/media-url/1')
  .digest()

export function uploadRouter(db: NodePgDatabase): Router {
  const router = express.Router()
  router.post(
    '/api/media/upload',
    requireUser(db),
    makeFolder,
    uploads.single('file'),
    nameUpload(db),
  )
  return router
}

function nameUpload(db: NodePgDatabase): RequestHandler {
  return async (request, response) => {
    const { file } = request as { file?: StoredFile }
    const { user } = response.locals
    if (!file) {
      response.status(400).json({ message: 'No file uploaded' })
      return
    }
    const { source = 'general' } = request.body as { source?: string }
    const fileName = `${source}-${Date.now()}-${file.filename}-${file.originalname}`
    const filePath = `users/${user.id}/General/${fileName}`
    const createdAt = new Date()
    const media = await db.transaction(async (tx) => {
      const [media] = await tx
        .insert(vaultMedia)
        .values({
          userId: user.id,
          name: file.originalname,
          originalName: file.originalname,
          fileName,
          filePath,
          fileSize: file.size,
          mimeType: file.mimetype,
          source,
          createdAt,
        })
        .returning()
      const details = { mediaId: media?.id }
      await tx.insert(activityLog).values({
        userId: user.id,
        action: 'media_uploaded',
        feature: 'media_gallery',
        details,
        createdAt,
      })
      await tx.insert(jobs).values({ name: 'enrich-media', payload: details, createdAt })
      return media ?? null
    })
    const signature = createHmac('sha256', urlKey).update(`user-media/${filePath}`).digest()
    const s = signature.subarray(0, 18).toString('base64url')
    const fileUrl = `/media/user-media/${filePath}?s=${s}`
    response.json({ fileUrl, fileName, filePath, source, media: media && presentFile(media, null) })
  }
}

/** Creates the folder per request: multer creates it only once, and each round's cleanup deletes it. */
const makeFolder: RequestHandler = (_request, _response, next) => {
  mkdirSync(dest, { recursive: true })
  next()
}
