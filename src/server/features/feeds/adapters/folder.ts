/** Reads folders of this machine below FOLDERS_DIR. They are read-only; newest pictures come first. */
import { createHash } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { signOutsideUrl } from '../../../http/media/media-url.ts'
import { typeOfKind } from '../../../media/media-kind.ts'
import type { FolderFile } from '../../folders/folders.ts'
import {
  byTime,
  createFolderIndex,
  findRole,
  folderKeyOf,
  listFolderNames,
  mayUseFolders,
} from '../../folders/folders.ts'
import type { FeedMedia, FeedSource } from '../feed-source.ts'
import { bareName, FeedUnavailable, ownersOwn, unsearchable } from '../feed-source.ts'
import { plainText } from '../normalise-media.ts'

type Inside = Pick<Context, 'db' | 'config' | 'now'>

/** Short, because a person waits for a page. A fill can wait longer for a folder's first read. */
const patienceMs = 500
const namesKeptMs = 60_000

export function createFolderSource(ctx: Inside, dir: string): FeedSource {
  const index = createFolderIndex(dir, ctx.now)
  let names: { readonly list: Promise<string[]>; readonly untilMs: number } | null = null

  /** Roles change, so check on every request. */
  const isOpenTo = async (userId: string | undefined) =>
    userId !== undefined && mayUseFolders(ctx.config, await findRole(ctx, userId))

  const folderNames = () => {
    const nowMs = ctx.now().getTime()
    if (!names || names.untilMs <= nowMs)
      names = { list: listFolderNames(dir), untilMs: nowMs + namesKeptMs }
    return names.list
  }

  return {
    name: 'folder',
    ...unsearchable,
    async list({ subfeed, limit, after, userId, maxWaitMs }) {
      if (!(await isOpenTo(userId)))
        throw new FeedUnavailable('not_offered', 'this account may not read folders')
      const files = await index.read(subfeed, maxWaitMs ?? patienceMs)
      if (!files) throw new FeedUnavailable('no_such_subfeed', 'no such folder')
      const last = after === undefined ? null : readPosition(after)
      const from = last ? files.findIndex((file) => byTime(last, file) < 0) : 0
      const page = from < 0 ? [] : files.slice(from, from + limit)
      const end = from < 0 || from + limit >= files.length ? undefined : page.at(-1)
      return {
        media: page.flatMap((file) => mediaOf(ctx, subfeed, file) ?? []),
        after: end ? `${end.takenMs}/${end.name}` : null,
      }
    },
    async suggest({ query, limit, userId }) {
      if (!(await isOpenTo(userId))) return []
      const words = query.toLowerCase()
      const fitting = (await folderNames()).filter((name) => name.toLowerCase().includes(words))
      return fitting
        .slice(0, limit)
        .map((name) => name.replaceAll(',', '%2C'))
        .map(bareName)
    },
  }
}

/** Parses a cursor. An invalid one counts as past the end. */
function readPosition(text: string): Pick<FolderFile, 'takenMs' | 'name'> {
  const [, takenMs, name] = /^(-?\d{1,15})\/(.+)$/s.exec(text) ?? []
  return takenMs === undefined || name === undefined
    ? { takenMs: -Infinity, name: '' }
    : { takenMs: Number(takenMs), name }
}

/** Returns null when the path is longer than a URL may be. */
function mediaOf(
  ctx: Inside,
  folder: string,
  { name, takenMs, kind }: FolderFile,
): FeedMedia | null {
  const path = `${folder}/${name}`
  const whole = folderKeyOf({ form: 'whole', path })
  const small = folderKeyOf({ form: 'small', path })
  if (whole === null || small === null) return null
  const urlOf = (key: string) =>
    signOutsideUrl(ctx.config.sessionSecrets, 'folder', { key, grant: null })
  const mediaUrl = urlOf(whole)
  return {
    ...ownersOwn,
    postId: `folder-${createHash('sha256').update(path).digest('hex').slice(0, 32)}`,
    postUrl: `${ctx.config.baseUrl}${mediaUrl}`,
    title: plainText(name.replace(/\.[^.]{1,5}$/, ''), 300),
    mediaUrl,
    thumbnail: kind.is === 'picture' ? urlOf(small) : null,
    type: typeOfKind(kind),
    width: null,
    height: null,
    createdAtUnixS: Math.max(0, Math.floor(takenMs / 1000)),
    nsfw: false,
    alt: null,
  }
}
