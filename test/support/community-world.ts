/** A world with users who publish: a remote site with real pictures, and a storage that can fail. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { FeedMedia } from '../../src/server/features/feeds/feed-source.ts'
import { openFileStorage } from '../../src/server/platform/storage/file-storage.ts'
import type { Bucket, Storage } from '../../src/server/platform/storage/storage.ts'
import { buckets, StorageUnreachable } from '../../src/server/platform/storage/storage.ts'
import { pictures } from './fake-feed.ts'
import type { PictureSite } from './picture-site.ts'
import { startPictureSite } from './picture-site.ts'
import type { SessionWorld } from './session-world.ts'
import { createSessionWorld } from './session-world.ts'
import type { Person } from './world.ts'

export type StorageFaults = {
  writesLeft: number
  /** The number of files copied within the storage. */
  copies: number
  /** Called before the next copy. */
  beforeCopy: (() => Promise<unknown>) | null
}

const noFaults: StorageFaults = { writesLeft: Infinity, copies: 0, beforeCopy: null }

export type CommunityWorld = SessionWorld & {
  readonly site: PictureSite
  /** The writes and copies that still succeed before the storage is unreachable. */
  readonly storageFaults: StorageFaults
  /** Returns the stored files, without the derived sizes of pictures, which are in another place. */
  readonly filesIn: (bucket: Bucket, prefix?: string) => Promise<string[]>
  /** Returns a user with a confirmed age and credits. */
  readonly adult: (name: string) => Promise<Person>
  /** Returns the events of a session, oldest first. */
  readonly told: (sessionId: string) => Promise<{ type: string; data: Record<string, unknown> }[]>
  /** Publishes and copies a session. Returns its id in the community, as a path needs it. */
  readonly publish: (person: Person, sessionId: string, body?: object) => Promise<string>
  /** Creates a session of pictures of the remote site, fills it and publishes it. */
  readonly makePublished: (
    person: Person,
    session?: Record<string, unknown>,
    body?: object,
  ) => Promise<{ sessionId: string; id: string }>
}

export async function createCommunityWorld(
  options: { givesOpenings?: boolean; webFolder?: string } = {},
): Promise<CommunityWorld> {
  const site = await startPictureSite()
  const dataDir = await mkdtemp(join(tmpdir(), 'lanternist-community-'))
  const storageFaults = { ...noFaults }
  const storage = withFaults(await openFileStorage({ dataDir }), storageFaults)
  const world = await createSessionWorld({ FETCH_ALLOW: site.host }, { storage, ...options })
  const allFilesIn = async (bucket: Bucket, prefix = '') => {
    const keys: string[] = []
    for await (const { key } of storage.list(bucket, prefix)) keys.push(key)
    return keys.toSorted()
  }
  const filesIn = async (bucket: Bucket, prefix?: string) =>
    (await allFilesIn(bucket, prefix)).filter((key) => !key.includes('/sizes/'))
  const told = async (sessionId: string) =>
    world.ctx.db
      .selectFrom('session_events')
      .select(['type', 'data'])
      .where('session_id', '=', Number(sessionId))
      .orderBy('seq')
      .execute()
  const publish = async (person: Person, sessionId: string, body: object = {}) => {
    const params = { id: sessionId }
    await person.sessions.update({ params, body: { shareToCommunity: true, ...body } })
    await world.runJobs()
    const published = (await told(sessionId)).findLast(({ type }) => type === 'published')
    return String(published?.data['communityId'])
  }
  return {
    ...world,
    site,
    storageFaults,
    filesIn,
    told,
    publish,
    async reset() {
      Object.assign(storageFaults, noFaults)
      site.gone.clear()
      site.asked.length = 0
      await world.reset()
      await sql`delete from unclaimed_files`.execute(world.ctx.db)
      await sql`delete from file_origins`.execute(world.ctx.db)
      for (const bucket of buckets)
        for (const key of await allFilesIn(bucket)) await storage.remove(bucket, key)
      world.feed.put('city', sitePictures(site, 'city', 3))
    },
    async adult(name) {
      const person = await world.as(name)
      await person.accounts.verifyAge({ body: { birthDate: '1990-01-01', ageVerified: true } })
      await world.grant(name, 500)
      return person
    },
    async makePublished(person, session = {}, body = {}) {
      const sessionId = await world.makeFilled(person, session)
      return { sessionId, id: await publish(person, sessionId, body) }
    },
    async close() {
      await world.close()
      await site.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export function sitePictures(
  site: PictureSite,
  subfeed: string,
  count: number,
  change: Partial<FeedMedia> = {},
): FeedMedia[] {
  return pictures(subfeed, count, { thumbnail: null, ...change }).map((media, index) => ({
    ...media,
    mediaUrl: change.mediaUrl ?? `${site.origin}/jpg/${subfeed}/${index}.jpg`,
  }))
}

/** Publishes a manual session with captions and durations. */
export async function publishManual(
  { site, publish }: Pick<CommunityWorld, 'site' | 'publish'>,
  person: Person,
  change: Record<string, unknown> = {},
): Promise<{ sessionId: string; id: string }> {
  const slides = [
    { mediaUrl: `${site.origin}/jpg/a.jpg`, caption: 'First', durationMs: 4000 },
    { mediaUrl: `${site.origin}/gif/b.gif` },
    { mediaUrl: `${site.origin}/webm/c.webm`, caption: 'Third' },
  ]
  const { session } = await person.sessions.createManual({
    body: {
      title: 'By hand',
      slides,
      transition: 'flip',
      intervalMin: 2,
      intervalMax: 5,
      isManualMode: true,
      isFavorite: true,
      isPublic: true,
      captionTheme: 'custom',
      aiPrompt: 'Softly',
      tags: ['night'],
      categoryId: 3,
      ...change,
    },
  })
  const sessionId = String(session.id)
  return { sessionId, id: await publish(person, sessionId) }
}

function withFaults(storage: Storage, faults: StorageFaults): Storage {
  const write = () => {
    if (faults.writesLeft <= 0) throw new StorageUnreachable('the test took the disk away')
    faults.writesLeft -= 1
  }
  return {
    ...storage,
    async put(...wanted) {
      write()
      return storage.put(...wanted)
    },
    async copy(...wanted) {
      const { beforeCopy } = faults
      faults.beforeCopy = null
      await beforeCopy?.()
      write()
      faults.copies += 1
      return storage.copy(...wanted)
    },
  }
}
