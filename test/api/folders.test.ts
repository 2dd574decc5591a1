/**
 * Folders of the machine as a source: the files that they serve, to whom, and the files that they never
 * serve (contract 16).
 */
import { rename, rm, symlink, truncate } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { sweepMadeMedia } from '../../src/server/features/folders/folder-sweep.ts'
import { setRole, withRole } from '../support/admin-world.ts'
import { exifJpeg, tiff } from '../support/exif.ts'
import type { MachineFolders } from '../support/machine-folders.ts'
import { createMachineFolders } from '../support/machine-folders.ts'
import { makeFilm, plainJpeg, privateJpeg, secrets } from '../support/sample-media.ts'
import type { SessionWorld } from '../support/session-world.ts'
import { createSessionWorld } from '../support/session-world.ts'
import { useWorld } from '../support/use-world.ts'
import type { Person } from '../support/world.ts'
import { refused } from '../support/world.ts'

let world: SessionWorld
let folders: MachineFolders
let admin: Person
let ana: Person
/** Each test uses its own folder, because listings are cached. */
let name: string
let count = 0

const day = (number: number) => new Date(Date.UTC(2024, 0, number))
const picture = (seed: number) => plainJpeg({ width: 900, height: 600, seed })

useWorld(
  async () => {
    folders = await createMachineFolders()
    return createSessionWorld({ FOLDERS_DIR: folders.dir })
  },
  async (fresh) => {
    world = fresh
    admin = await withRole(world, 'ada', 'admin')
    await world.grant('ada', 1000)
    ana = await world.as('ana')
    name = `shelf ${(count += 1)}`
    for (const number of [1, 2, 3])
      await folders.write(`${name}/${number}.jpg`, await picture(number), day(number))
  },
)
afterEach(() => rm(join(folders.dir, name), { recursive: true, force: true }))

async function filled(person: Person, subfeeds = `folder:${name}`) {
  const id = await world.makeFilled(person, { subfeeds })
  return person.sessions.read({ params: { id } })
}

async function listed(subfeeds = `folder:${name}`) {
  const { posts } = await admin.feeds.fetch({ body: { subfeeds, limit: 50 } })
  return posts.map(({ title }) => title)
}

/** Returns the file's name without its extension, from the address. */
function nameOf({ mediaUrl }: { mediaUrl: string | null }): string {
  const [, key = ''] = /^\/media\/folder\/whole\/([^?]+)/.exec(mediaUrl ?? '') ?? []
  return parse(Buffer.from(key.replaceAll('/', ''), 'base64url').toString()).name
}

const statusOf = async (url: string | null | undefined) =>
  (await world.visitor().fetch(url ?? '/missing')).status

describe('a session', () => {
  test('is filled from a folder, newest first, for free', async () => {
    // Taken before all others, although written last.
    await folders.write(`${name}/old.jpg`, await taken('2001:01:01 10:00:00'), day(9))
    const { session, media } = await filled(admin)
    expect(session).toMatchObject({ subfeeds: [`folder:${name}`], fillError: null })
    expect(media.map(nameOf)).toEqual(['3', '2', '1', 'old'])
    expect(media.every(({ credit }) => credit === null)).toBe(true)
    for (const { mediaUrl, thumbnail } of media.slice(0, 3)) {
      const whole = await world.visitor().fetch(mediaUrl ?? '')
      expect(whole.headers.get('content-type')).toBe('image/jpeg')
      const small = await world.visitor().fetch(thumbnail ?? '')
      expect([small.status, small.headers.get('content-type')]).toEqual([200, 'image/webp'])
    }
    const range = { headers: { range: 'bytes=0-1' } }
    const part = await world.visitor().fetch(media[0]?.mediaUrl ?? '', range)
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([
      206,
      Buffer.from([0xff, 0xd8]),
    ])
  })

  test('contains only files that the vault would accept, by their bytes, from that folder', async () => {
    await folders.write(`${name}/below/deeper.jpg`, await picture(4))
    await folders.write(`${name}/.hidden.jpg`, await picture(5))
    await folders.write(`${name}/page.jpg`, Buffer.from('<!doctype html><script>1</script>'))
    await folders.write(`${name}/empty.jpg`, Buffer.alloc(0))
    await folders.write(`${name}/named as text.txt`, await picture(6), day(8))
    await folders.write(`${name}/film.mp4`, await makeFilm(), day(7))
    const { media } = await filled(admin)
    expect(media.map((slide) => `${nameOf(slide)} ${slide.type}`)).toEqual([
      'named as text image',
      'film video',
      '3 image',
      '2 image',
      '1 image',
    ])
    expect(await listed(`folder:/${name}/below/`)).toEqual(['deeper'])
  })

  test('shows others its pictures through its link, while the link works', async () => {
    await folders.write(`${name}/4.jpg`, await privateJpeg({ seed: 7 }), day(20))
    const { session, media } = await filled(admin)
    const params = { id: String(session.id) }
    const { shareCode: code } = await admin.sharing.shareSession({
      params,
      body: { expiresAt: new Date(world.clock.now().getTime() + 3_600_000).toISOString() },
    })
    const shown = (await ana.sharing.open({ params: { code } })).media
    expect(shown[0]?.mediaUrl).toContain('?g=share.')
    expect(shown[0]?.thumbnail).toContain('?g=share.')
    const bytesAt = async (url: string | null | undefined) => {
      const answer = await world.visitor().fetch(url ?? '')
      expect(answer.status).toBe(200)
      return Buffer.from(await answer.arrayBuffer()).toString('latin1')
    }
    const [own, theirs] = [await bytesAt(media[0]?.mediaUrl), await bytesAt(shown[0]?.mediaUrl)]
    const told = (text: string) => secrets.filter((secret) => text.includes(secret))
    expect(told(own)).not.toEqual([])
    expect(told(theirs)).toEqual([])
    expect(await bytesAt(shown[1]?.mediaUrl)).toBe(await bytesAt(media[1]?.mediaUrl))
    world.clock.advance(2 * 3_600_000)
    for (const { mediaUrl, thumbnail } of shown)
      expect([await statusOf(mediaUrl), await statusOf(thumbnail)]).toEqual([404, 404])
    expect(await statusOf(media[0]?.mediaUrl)).toBe(200)
  })
})

describe('escaping the folder', () => {
  test('a link works only inside the offered folders, and is checked on each request', async () => {
    await folders.writeOutside('secret.jpg', await picture(8))
    await folders.write('elsewhere/found.jpg', await picture(9), day(30))
    const at = (path: string) => join(folders.dir, name, path)
    await symlink(join(folders.outside, 'secret.jpg'), at('out.jpg'))
    await symlink('../elsewhere/found.jpg', at('in.jpg'))
    await symlink('../../private', at('way out'))
    const { media } = await filled(admin)
    expect(media.map(nameOf)).toEqual(['in', '3', '2', '1'])
    expect(await statusOf(media[0]?.mediaUrl)).toBe(200)
    // Replaces a picture whose address was already sent.
    await rename(at('out.jpg'), at('3.jpg'))
    expect([await statusOf(media[1]?.mediaUrl), await statusOf(media[1]?.thumbnail)]).toEqual([
      404, 404,
    ])
    const outward = await filled(admin, `folder:${name}/way out`)
    expect(outward.session.fillError).toBe(`folder:${name}/way out: not found`)
    await rm(join(folders.dir, 'elsewhere'), { recursive: true })
    expect(await statusOf(media[0]?.mediaUrl)).toBe(404)
  })

  test('an address cannot be guessed, and does not reveal the folder', async () => {
    const { session, media } = await filled(admin)
    const url = media[0]?.mediaUrl ?? ''
    const key = Buffer.from(`${name}/../../private/secret.jpg`).toString('base64url')
    expect(await statusOf(`/media/folder/whole/${key}${url.slice(url.indexOf('?'))}`)).toBe(404)
    expect(await statusOf(url.replace('/whole/', '/small/'))).toBe(404)
    expect(await statusOf(url.split('?')[0])).toBe(404)
    const { posts } = await admin.feeds.fetch({ body: { subfeeds: `folder:${name}` } })
    const gone = await filled(admin, 'folder:no such folder')
    expect(gone.session.fillError).toBe('folder:no such folder: not found')
    const said = JSON.stringify([session, media, posts, gone, await admin.site.read()])
    expect(said).not.toContain(folders.dir)
    expect(said).not.toContain(Buffer.from(folders.dir).toString('base64url'))
  })

  test.each(['', '..', 'a/../b', '.git', 'a//b', 'a/.hidden', 'a\\b', 'a\u0007'])(
    'the name %j is refused before anything is charged',
    async (path) => {
      const before = (await admin.credits.balance()).balance
      const failure = await refused(world.make(admin, { subfeeds: `folder:${path}` }))
      expect(failure).toMatchObject({ status: 400, body: { error: 'Validation Error' } })
      expect((await admin.credits.balance()).balance).toBe(before)
    },
  )

  test('a file that shrinks while it is sent does not block the reader', async () => {
    const long = Buffer.concat([await picture(7), Buffer.alloc(48 * 1_048_576)])
    await folders.write(`${name}/long.jpg`, long, day(29))
    const { media } = await filled(admin)
    const patience = AbortSignal.timeout(20_000)
    const answer = await fetch(`${world.url}${media[0]?.mediaUrl}`, { signal: patience })
    expect(answer.headers.get('content-length')).toBe(String(long.length))
    await truncate(join(folders.dir, name, 'long.jpg'), 1_048_576)
    await expect(answer.arrayBuffer()).rejects.toThrow('terminated')
    expect(patience.aborted).toBe(false)
  })

  test('odd names are read as they are', async () => {
    const odd = ['ä ö 😀', 'a,b', '100%', "it's “quoted”", 'line\nbreak', '<b>', '#1?x=2&y']
    for (const [index, title] of odd.entries())
      await folders.write(`${name}/odd, %2C/${title}.jpg`, await picture(index), day(28 - index))
    const subfeed = `folder:${name}/odd%2C %252C`
    expect((await refused(admin.feeds.fetch({ body: { subfeeds: subfeed } }))).status).toBe(502)
    await rename(join(folders.dir, name, 'odd, %2C'), join(folders.dir, name, 'odd, x'))
    const { media } = await filled(admin, `folder:${name}/odd%2C x`)
    expect(media.map(nameOf)).toEqual(odd)
    for (const { mediaUrl } of media) expect(await statusOf(mediaUrl)).toBe(200)
  })
})

test('is for administrators, unless every account is allowed', async () => {
  const feedsOf = async (person: Person) => (await person.site.read()).feeds.map(({ id }) => id)
  expect(await feedsOf(admin)).toContain('folder')
  for (const person of [ana, world.visitor()]) expect(await feedsOf(person)).not.toContain('folder')
  const body = { subfeeds: `folder:${name}` }
  const failures = [await refused(world.make(ana, body)), await refused(ana.feeds.fetch({ body }))]
  for (const { status, message } of failures)
    expect([status, message]).toEqual([
      400,
      `Validation failed: subfeeds: folder:${name} belongs to folder, which this site does not offer`,
    ])
  const suggested = async (person: Person) =>
    (await person.feeds.suggest({ query: { q: `folder:${name}` } })).items.map((item) => item.name)
  expect(await suggested(ana)).toEqual([])
  expect(await suggested(admin)).toEqual([`folder:${name}`])
  // An administrator when the session was made, but no longer when it is filled again.
  const { session } = await filled(admin)
  await setRole(world, 'ada', 'user')
  const params = { id: String(session.id) }
  await admin.sessions.refill({ params })
  await world.runJobs()
  expect((await admin.sessions.read({ params })).session.fillError).toBe(
    `folder:${name}: not offered by this site`,
  )
})

test('new files are noticed, and continue page by page', async () => {
  expect(await listed()).toEqual(['3', '2', '1'])
  await folders.write(`${name}/4.jpg`, await picture(4), day(4))
  await rm(join(folders.dir, name, '1.jpg'))
  expect(await listed()).toEqual(['4', '3', '2'])
  const body = { subfeeds: `folder:${name}`, limit: 2 }
  const first = await admin.feeds.fetch({ body })
  expect(first.posts).toMatchObject([{ title: '4', source: 'folder' }, { title: '3' }])
  const second = await admin.feeds.fetch({ body: { ...body, after: first.after ?? '' } })
  expect(second).toMatchObject({ posts: [{ title: '2' }], after: null })
})

test('cached files are deleted with their originals, and nothing else', async () => {
  const { media } = await filled(admin)
  const madeOf = async () => {
    const keys: string[] = []
    for await (const { key } of world.ctx.storage.list('user-media', 'folders/')) keys.push(key)
    return keys
  }
  for (const key of await madeOf()) await world.ctx.storage.remove('user-media', key)
  for (const { thumbnail } of media) expect(await statusOf(thumbnail)).toBe(200)
  await world.ctx.storage.put('user-media', 'folders/of-old-640.webp', Buffer.from('old'))
  expect(await madeOf()).toHaveLength(4)
  await rm(join(folders.dir, name, '1.jpg'))
  await folders.write(`${name}/2.jpg`, await picture(22), day(22))
  await sweepMadeMedia(world.ctx)
  const [left, ...others] = await madeOf()
  expect(others).toEqual([])
  const stored = await world.ctx.storage.stat('user-media', left ?? '')
  expect(await Promise.all(media.map(({ thumbnail }) => statusOf(thumbnail)))).toEqual([
    200, 200, 404,
  ])
  expect(await world.ctx.storage.stat('user-media', left ?? '')).toEqual(stored)
  // A disk that is not mounted has lost no files.
  const away = `${folders.dir} away`
  await rename(folders.dir, away)
  await sweepMadeMedia(world.ctx)
  await rename(away, folders.dir)
  expect(await madeOf()).toHaveLength(2)
})

/** Returns a picture with the camera's time in its metadata. */
async function taken(takenAt: string): Promise<Buffer> {
  const [head, whole] = [exifJpeg(tiff({ takenAt })), await picture(99)]
  // The camera's metadata follows the start-of-image marker.
  return Buffer.concat([head.subarray(0, -3), whole.subarray(2)])
}
