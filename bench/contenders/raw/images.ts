/**
 * A minimal composition: the body, the two pictures through one `join` of sharp, the file on the disk, and
 * the debit in one statement. It checks nothing and ignores the orientation.
 */
import { createHmac, randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Handler } from '../raw.ts'
import { signedInUserId } from './sign-in.ts'

const folder = join(process.env['DATA_DIR'] ?? '.', 'raw')
const urlKey = createHmac('sha256', process.env['SESSION_SECRET'] ?? '')
  .update('lanternist/media-url/1')
  .digest()

const debit = {
  name: 'debit-composition',
  text: `with price as (
      select credits_required from feature_pricing
      where feature_key = 'babecock_generate' and is_active
    ), account as (
      update credit_accounts set balance = balance - credits_required from price
      where user_id = $1 and balance >= credits_required
      returning balance, credits_required
    )
    insert into credit_transactions
      (user_id, amount, type, description, feature_key, balance_after, created_at)
    select $1, -credits_required, 'spend', 'Composition', 'babecock_generate', balance, $2
    from account returning id`,
}

export const imageRoutes: Readonly<Record<string, Handler>> = {
  'POST /api/babecock/generate': async (pool, request) => {
    const [userId, body] = await Promise.all([signedInUserId(pool, request), textOf(request)])
    if (userId === null) return { status: 401, json: '{"message":"Unauthorized"}' }
    const { babeImageUrl, cockImageUrl } = JSON.parse(body) as Record<string, string>
    const { data, info } = await sharp([pathOf(babeImageUrl), pathOf(cockImageUrl)], {
      join: { across: 2 },
    })
      .jpeg({ quality: 90, optimiseCoding: false })
      .toBuffer({ resolveWithObject: true })
    const key = `users/${userId}/Temporary/${randomUUID()}.jpg`
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, key.replaceAll('/', '-')), data)
    const { rowCount } = await pool.query({ ...debit, values: [userId, new Date()] })
    if (rowCount !== 1) return { status: 402, json: '{"error":"Insufficient credits"}' }
    const signature = createHmac('sha256', urlKey).update(`user-media/${key}`).digest()
    const answer = {
      success: true,
      imageUrl: `/media/user-media/${key}?s=${signature.subarray(0, 18).toString('base64url')}`,
      layout: 'side-by-side',
      dimensions: { width: info.width, height: info.height },
    }
    return { status: 200, json: JSON.stringify(answer) }
  },
}

/** Maps our URL to our file: this contender reads the same pictures. */
function pathOf(url = ''): string {
  const [, key = ''] = /^\/media\/(.+)\?/.exec(url) ?? []
  return join(process.env['DATA_DIR'] ?? '.', 'storage', key)
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
