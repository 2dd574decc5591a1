/** Log lines of requests and of sharing: they never contain a token or a code. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listenTo } from '../support/event-listener.ts'
import { eventually } from '../support/eventually.ts'
import { recordingWorldLog } from '../support/recording-log.ts'
import { upload } from '../support/vault-world.ts'
import type { Person, World } from '../support/world.ts'
import { createWorld } from '../support/world.ts'

const { log, lines } = recordingWorldLog()
let world: World
let ana: Person
let shareCode: string
let sessionId: number

beforeAll(async () => {
  world = await createWorld({}, { log })
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.reset()
  ana = await world.as('ana')
  const { session } = await ana.sessions.createManual({
    body: { title: 'Mine', slides: [{ mediaUrl: 'https://example.org/a.jpg' }] },
  })
  sessionId = session.id
  const params = { id: String(session.id) }
  shareCode = (await ana.sharing.shareSession({ params, body: {} })).shareCode
  lines.length = 0
})

async function sharePicture() {
  await upload(ana)
  const [file] = (await ana.vault.list()).files
  const id = file!.id
  const params = { id: String(id) }
  const share = await ana.vault.share({ params, body: { shareToCommunity: false } })
  return { id, url: file!.url, ...share }
}

test('the request log contains no code, password, token or signature', async () => {
  const ofMedia = await sharePicture()
  const token = 'dG9rZW5zLWFyZS1sb25nLWFuZC1yYW5kb20'
  const signature = new URL(ofMedia.url, world.url).searchParams.get('s') ?? ''
  expect(signature).not.toBe('')
  const addresses = [
    `/api/shared/${shareCode}`,
    `/api/shared/${shareCode.toUpperCase()}/preview`,
    `/api/shared/${shareCode}x`,
    `/shared/${shareCode}?r=ABCD1234`,
    `/shared/${shareCode}/play`,
    `/api/shared/media/${ofMedia.shareCode}`,
    ofMedia.shareUrl,
    `/reset-password?token=${token}`,
    `/api/nothing/${token}`,
    ofMedia.url,
    `/%zz/${shareCode}`,
  ]
  for (const address of addresses) await (await ana.fetch(address)).arrayBuffer()
  const listening = await listenTo(ana, sessionId, {
    'x-share-code': shareCode,
    'x-share-password': token,
  })
  listening.hangUp()
  // More lines than addresses: a stream that was cut off is logged too.
  await eventually(() =>
    expect(lines.filter((line) => line.includes('"answered"')).length).toBeGreaterThan(
      addresses.length,
    ),
  )
  const cookie = ana.jar.get('connect.sid') ?? ''
  const secrets = [shareCode, ofMedia.shareCode, token, signature, cookie]
  for (const secret of secrets)
    for (const line of lines) expect(line.toLowerCase()).not.toContain(secret.toLowerCase())
})

test('the activity log lists shares without the means to open them', async () => {
  const shared = await sharePicture()
  const admin = world.visitor()
  await admin.accounts.devSignIn()
  const { items } = await admin.admin.activity({ query: {} })
  const detailsOf = (action: string) => items.find((item) => item.action === action)?.details
  expect(detailsOf('session_shared')).toEqual({})
  expect(detailsOf('media_shared')).toMatchObject({
    mediaId: shared.id,
    shareCode: `${shared.shareCode.slice(0, 8)}…`,
    communityStatus: 'none',
  })
})
