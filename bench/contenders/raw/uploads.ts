/**
 * Streams an upload from the socket through a form parser to the disk, then stores the row, the log entry
 * and the job in one statement. It checks nothing, and does not clean up after an aborted upload. If
 * requested, it flushes the file and renames it into place.
 */
import { createHmac, createSecretKey, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import type { Pool } from 'pg'
import type { Handler } from '../raw.ts'
import { signedInUserId } from './sign-in.ts'
import type { FileRow } from './vault.ts'
import { fileColumns, fileJson } from './vault.ts'

const folder = join(process.env['DATA_DIR'] ?? '.', 'raw')
const urlKey = createSecretKey(
  createHmac('sha256', process.env['SESSION_SECRET'] ?? '')
    .update('lanternist/media-url/1')
    .digest(),
)

const insertMedia = {
  name: 'insert-media',
  text: `with media as (
      insert into vault_media (user_id, name, original_name, file_name, file_path, file_size,
        mime_type, source, created_at)
      values ($1, $2, $2, $3, $4, $5, $6, $7, $8) returning *
    ), log as (
      insert into activity_log (user_id, action, feature, details, created_at)
      select $1, 'media_uploaded', 'media_gallery', json_build_object('mediaId', id), $8 from media
    ), job as (
      insert into bench_jobs (name, payload, created_at)
      select 'enrich-media', json_build_object('mediaId', id), $8 from media
    )
    select ${fileColumns} from media m left join media_shares s on s.media_id = m.id`,
}

export const uploadRoutes: Readonly<Record<string, Handler>> = {
  'POST /api/media/upload': async (pool, request) => {
    const userId = await signedInUserId(pool, request)
    if (userId === null) {
      request.resume()
      return { status: 401, json: '{"message":"Unauthorized"}' }
    }
    const upload = await receive(request)
    return { status: 200, json: await name(pool, userId, upload) }
  },
}

type Upload = {
  storedAs: string
  givenName: string
  mimeType: string
  source: string
  bytes: number
}

async function receive(request: IncomingMessage): Promise<Upload> {
  const isFlushed = request.headers['x-bench-flush'] === 'yes'
  let source = 'general'
  let upload: Omit<Upload, 'source' | 'bytes'> | undefined
  let written: Promise<number> | undefined
  const parser = new Busboy({
    headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
  })
  parser.on('field', (field, value) => {
    if (field === 'source') source = value
  })
  parser.on('file', (_field, file, givenName, _encoding, mimeType) => {
    const storedAs = `${Date.now()}-${randomUUID()}`
    upload = { storedAs, givenName, mimeType }
    written = write(file, storedAs, isFlushed)
  })
  await pipeline(request, parser)
  const bytes = await written
  if (!upload || bytes === undefined) throw new Error('no file came')
  return { ...upload, source, bytes }
}

async function write(file: NodeJS.ReadableStream, name: string, isFlushed: boolean) {
  await mkdir(folder, { recursive: true })
  const path = join(folder, name)
  if (!isFlushed) {
    const output = createWriteStream(path)
    await pipeline(file, output)
    return output.bytesWritten
  }
  const output = createWriteStream(`${path}.draft`, { flush: true })
  await pipeline(file, output)
  await rename(`${path}.draft`, path)
  const handle = await open(folder, 'r')
  await handle.sync()
  await handle.close()
  return output.bytesWritten
}

async function name(pool: Pool, userId: string, upload: Upload) {
  const { storedAs, givenName, mimeType, source, bytes } = upload
  const fileName = `${source}-${storedAs}-${givenName}`
  const filePath = `users/${userId}/General/${fileName}`
  const { rows } = await pool.query<FileRow>({
    ...insertMedia,
    values: [userId, givenName, fileName, filePath, bytes, mimeType, source, new Date()],
  })
  const signature = createHmac('sha256', urlKey).update(`user-media/${filePath}`).digest()
  const fileUrl = `/media/user-media/${filePath}?s=${signature.subarray(0, 18).toString('base64url')}`
  const stored = JSON.stringify({ fileUrl, fileName, filePath, source })
  const media = rows.map((row) => fileJson(userId, row)).join()
  return `${stored.slice(0, -1)},"media":${media}}`
}
