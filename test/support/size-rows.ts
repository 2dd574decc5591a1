/**
 * The rows of a site of any size, computed only from their numbers: the same site each time, with constant
 * proportions, so that one user has the same amount in a small site and in a large one.
 */
import { createHash } from 'node:crypto'
import { roomCodeLength, roomCodeLetters } from '../../src/contract/room-codes.ts'
import { signMediaUrl } from '../../src/server/http/media/media-url.ts'
import type { Cell } from './copy-rows.ts'

export type SiteSize = {
  readonly users: number
  readonly sessions: number
  readonly slides: number
}

export type SeededTable = {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: () => Iterable<readonly Cell[]>
}

/** The secret that a site with these rows must be started with: it signs addresses. */
export const seededSecret = 'a seeded site keeps no secrets'

export const filesOfUser = 20
const sessionPrice = 25
const left = 100
const yearsMs = 2 * 365 * 24 * 3600 * 1000
const dayMs = 24 * 3600 * 1000
const hosts = 40
const vaultSlideEvery = 10

export const userId = (number: number) => `person-${number}`
/** The secret of a user's sign-in, as in the cookies of the benchmarks. */
export const signInSecret = (number: number) => String(number).padStart(43, '0')
export const frameToken = (number: number) => `frame${String(number).padStart(38, '0')}`
/** Returns a code whose letters encode the digits. */
export const roomCode = (number: number) =>
  String(number)
    .padStart(roomCodeLength, '0')
    .replaceAll(/\d/g, (digit) => roomCodeLetters[Number(digit)] ?? '')
export const shareCode = (number: number) => uuid(number)

export function tablesOf(size: SiteSize, nowMs: number): SeededTable[] {
  const { users, sessions } = size
  const perSession = Math.round(size.slides / sessions)
  const owner = (session: number) => ((session - 1) % users) + 1
  const turn = (session: number) => Math.floor((session - 1) / users)
  const owned = (user: number) => Math.ceil((sessions - user + 1) / users)
  const granted = sessionPrice * Math.ceil(sessions / users) + left
  const publications = Math.floor(sessions / 20)
  const rooms = Math.ceil(users / 50)
  const now = timeOf(nowMs)
  const spread = (number: number, of: number) => timeOf(nowMs - yearsMs + (number / of) * yearsMs)
  const begin = timeOf(nowMs - yearsMs)
  const someone = (number: number) => ((number * 7919) % users) + 1

  return [
    table(
      'users',
      'id email first_name age_verified birth_date referral_code onboarding_completed created_at updated_at',
      users,
      (n) => [
        userId(n),
        `person${n}@example.test`,
        `Person ${n}`,
        n % 5 === 0,
        n % 5 === 0 ? '1980-01-01' : null,
        `S${String(n).padStart(7, '0')}`,
        true,
        spread(n, users),
        now,
      ],
    ),
    table(
      'sign_ins',
      'secret_hash user_id created_at renewed_at expires_at last_seen_at',
      users,
      (n) => [hashOf(signInSecret(n)), userId(n), now, now, timeOf(nowMs + 7 * dayMs), now],
    ),
    table('credit_accounts', 'user_id balance anchored_at next_allocation_at', users, (n) => [
      userId(n),
      granted - sessionPrice * owned(n),
      begin,
      timeOf(nowMs + (1 + (n % 27)) * dayMs),
    ]),
    table(
      'credit_transactions',
      'id user_id amount type description feature_key balance_after created_at',
      users,
      (n) => [n, userId(n), granted, 'grant', 'Welcome', null, granted, begin],
    ),
    table(
      'credit_transactions',
      'id user_id amount type description feature_key balance_after created_at',
      sessions,
      (n) => [
        users + n,
        userId(owner(n)),
        -sessionPrice,
        'spend',
        'New session',
        'session_create',
        granted - sessionPrice * (turn(n) + 1),
        spread(n, sessions),
      ],
    ),
    table(
      'sessions',
      'id user_id title subfeeds category_id category_source interval_min interval_max transition thumbnail is_public share_to_community is_favorite tags media_count fill_status fill_number fill_is_paid event_seq created_at updated_at',
      sessions,
      (n) => [
        n,
        userId(owner(n)),
        `Evening ${n}`,
        '{city,night,rooftops}',
        (n % 7) + 1,
        n % 7 === 0 ? 'default' : 'manual',
        3,
        10 + (n % 20),
        'fade',
        `/covers/${n.toString(16).padStart(16, '0')}.svg`,
        n % 10 === 0,
        n % 20 === 0,
        n % 8 === 0,
        n % 2 === 0 ? '{city,night}' : '{}',
        perSession,
        'ready',
        1,
        true,
        2,
        spread(n, sessions),
        spread(n, sessions),
      ],
    ),
    table(
      'vault_media',
      'id user_id name original_name file_name file_path file_size mime_type source width height display_path thumbnail_widths enrichment_status enriched_at content_sha256 created_at',
      users * filesOfUser,
      (n) => [
        n,
        userId(owner(n)),
        `Picture ${n}`,
        `IMG_${n}.jpg`,
        `${n}.jpg`,
        fileKey(n, owner(n)),
        250_000 + (n % 1000),
        'image/jpeg',
        'upload',
        1920,
        1080,
        fileKey(n, owner(n)),
        '{}',
        'completed',
        now,
        hashOf(`file ${n}`),
        spread(n, users * filesOfUser),
      ],
    ),
    table('vault_counts', 'user_id category files', users, (n) => [
      userId(n),
      'upload',
      filesOfUser,
    ]),
    table('stored_files', 'key user_id size', users * filesOfUser, (n) => [
      fileKey(n, owner(n)),
      userId(owner(n)),
      250_000 + (n % 1000),
    ]),
    table('media_renditions', 'bucket key user_id status', users * filesOfUser, (n) => [
      'user-media',
      fileKey(n, owner(n)),
      userId(owner(n)),
      'done',
    ]),
    { table: 'session_media', columns: slideColumns, rows: slides },
    table('session_shares', 'code session_id created_at access', Math.floor(sessions / 25), (n) => [
      shareCode(n),
      n * 25,
      spread(n, sessions / 25),
      'anyone',
    ]),
    table('media_shares', 'code media_id created_at', Math.ceil(users / 10), (n) => [
      uuid(n),
      n,
      now,
    ]),
    table(
      'community_sessions',
      'id session_id owner_id status publication title nsfw media_count transition interval_min interval_max is_manual_mode subfeeds tags category_id category_source saved_count published_at',
      publications,
      (n) => [
        n,
        n * 20,
        userId(owner(n * 20)),
        'published',
        1,
        `Evening ${n * 20}`,
        n % 9 === 0,
        perSession,
        'fade',
        3,
        10,
        false,
        '{city}',
        n % 2 === 0 ? '{city,night}' : '{macro}',
        (n % 7) + 1,
        'manual',
        n % 3,
        spread(n, publications),
      ],
    ),
    table(
      'community_session_media',
      'id community_session_id position file_key type title subfeed width height nsfw',
      publications * perSession,
      (n) => [
        n,
        Math.ceil(n / perSession),
        (n - 1) % perSession,
        `community/${Math.ceil(n / perSession)}/1/${(n - 1) % perSession}.jpg`,
        'image',
        'A street at dusk',
        'city',
        1920,
        1080,
        Math.ceil(n / perSession) % 9 === 0,
      ],
    ),
    {
      table: 'community_saves',
      columns: words('community_session_id user_id session_id created_at'),
      rows: saves,
    },
    table(
      'community_media',
      'id media_id owner_id file_key thumbnail_key type width height tags nsfw published_at',
      users,
      (n) => [
        n,
        n,
        userId(n),
        `community/media/${n}.jpg`,
        null,
        'image',
        1920,
        1080,
        n % 2 === 0 ? '{city,night}' : '{macro}',
        n % 9 === 0,
        spread(n, users),
      ],
    ),
    table('file_origins', 'bucket key origin_bucket origin_key', users, (n) => [
      'general',
      `community/media/${n}.jpg`,
      'user-media',
      fileKey(n, n),
    ]),
    table('plays', 'id session_id user_id created_at', sessions * 2, (n) => [
      n,
      ((n - 1) % sessions) + 1,
      userId(someone(n)),
      spread(n, sessions * 2),
    ]),
    table('play_views', 'play_id media_id', sessions * 10, (n) => {
      const play = Math.ceil(n / 5)
      return [play, ((play - 1) % sessions) * perSession + ((n - 1) % 5) + 1]
    }),
    table(
      'session_events',
      'session_id seq type data created_at',
      Math.floor(sessions / 10) * 2,
      (n) => [
        sessions - Math.floor((n - 1) / 2),
        ((n - 1) % 2) + 1,
        'fill',
        '{"status":"ready","mediaCount":25}',
        timeOf(nowMs - (n % 86_000) * 1000),
      ],
    ),
    table(
      'activity_log',
      'id user_id action feature details ip_address created_at',
      users * 20,
      (n) => [
        n,
        userId(someone(n)),
        actions[n % actions.length] ?? 'login',
        'authentication',
        '{}',
        '192.0.2.7',
        spread(n, users * 20),
      ],
    ),
    table('notices', 'id user_id message created_at read_at', users * 3, (n) => [
      n,
      userId(owner(n)),
      'A word from the site',
      spread(n, users * 3),
      n % 3 === 0 ? null : now,
    ]),
    table('daily_bonuses', 'user_id day streak', users * 5, (n) => [
      userId(owner(n)),
      dayOf(nowMs - (Math.floor((n - 1) / users) + 1) * dayMs),
      5 - Math.floor((n - 1) / users),
    ]),
    table(
      'idempotency_keys',
      'user_id key request_hash claim lease_until charged status body created_at',
      users,
      (n) => [userId(n), uuid(n), hashOf(`request ${n}`), uuid(n), now, false, 200, '{}', now],
    ),
    table('caption_cache', 'key caption claim lease_until created_at', users * 2, (n) => [
      hashOf(`caption ${n}`),
      'The lamps come on',
      uuid(n),
      now,
      now,
    ]),
    table('unclaimed_files', 'bucket key remove_after', Math.ceil(users / 10), (n) => [
      'user-media',
      `users/${userId(n)}/kept/${n}.jpg`,
      timeOf(nowMs + ((n % 23) + 1) * 3600_000),
    ]),
    table(
      'payments',
      'id user_id reference method package_id credits price_cents status expires_at created_at',
      Math.ceil(users / 10),
      (n) => [n, userId(n), uuid(n), 'crypto', 'small', 100, 500, 'expired', begin, begin],
    ),
    table(
      'rooms',
      'id code host_id session_id status sequence playback created_at commanded_at',
      rooms,
      (n) => [n, roomCode(n), userId(n), n, 'paused', 1, playback, now, now],
    ),
    table(
      'frames',
      'id user_id name token_hash grant_id settings created_at updated_at',
      Math.ceil(users / 10),
      (n) => [n, userId(n), 'Hall', hashOf(frameToken(n)), n, frameSettings, now, now],
    ),
    table('frame_sessions', 'frame_id session_id position', Math.ceil(users / 10), (n) => [
      n,
      n,
      0,
    ]),
  ]

  function* slides(): Iterable<readonly Cell[]> {
    for (let session = 1; session <= sessions; session += 1) {
      const user = owner(session)
      const checkAt = timeOf(nowMs + (1 + (session % 30)) * dayMs)
      for (let place = 0; place < perSession; place += 1) {
        const id = (session - 1) * perSession + place + 1
        if (place % vaultSlideEvery === vaultSlideEvery - 1) {
          const file = user + users * (id % filesOfUser)
          const url = signMediaUrl({
            secrets: [seededSecret],
            bucket: 'user-media',
            key: fileKey(file, user),
          })
          yield [
            id,
            session,
            place,
            url,
            url,
            null,
            'image',
            `Picture ${file}`,
            null,
            null,
            null,
            1920,
            1080,
            file,
            null,
            null,
          ]
        } else {
          const post = `${session}x${place}`
          const host = `pictures-${session % hosts}.example.test`
          const url = `https://${host}/${post}`
          yield [
            id,
            session,
            place,
            `${url}.jpg`,
            `${url}-small.jpg`,
            null,
            'image',
            'A street at dusk',
            `t3_${post}`,
            `https://feed.example.test/r/city/comments/${post}/`,
            'city',
            1920,
            1080,
            null,
            checkAt,
            host,
          ]
        }
      }
    }
  }

  /** Yields saves: the sessions before a published one are the copies of its first savers. */
  function* saves(): Iterable<readonly Cell[]> {
    for (let publication = 1; publication <= publications; publication += 1)
      for (let save = 1; save <= publication % 3; save += 1) {
        const session = publication * 20 - save
        yield [publication, userId(owner(session)), session, now]
      }
  }
}

const slideColumns = words(
  'id session_id position media_url thumbnail caption type title feed_post_id feed_post_url subfeed width height vault_media_id link_check_at link_host',
)
const actions = ['login', 'media_uploaded', 'session_shared', 'profile_updated', 'media_shared']
const playback = JSON.stringify({
  slide: 0,
  slideStartedAt: 0,
  positionMs: 0,
  seed: 'seed',
  speed: 1,
  blackout: false,
  settings: { intervalMin: 3, intervalMax: 10, transition: 'fade', captions: true, loop: true },
})
const frameSettings = JSON.stringify({
  intervalSeconds: 20,
  transition: 'fade',
  captions: true,
  clock: true,
  quietFrom: null,
  quietTo: null,
  timeZone: 'UTC',
  shuffle: false,
})

function table(
  name: string,
  columns: string,
  count: number,
  row: (number: number) => readonly Cell[],
): SeededTable {
  return {
    table: name,
    columns: words(columns),
    *rows() {
      for (let number = 1; number <= count; number += 1) yield row(number)
    },
  }
}

function words(text: string): string[] {
  return text.split(' ')
}

function fileKey(file: number, user: number): string {
  return `users/${userId(user)}/Uploads/${file}.jpg`
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString()
}

function dayOf(ms: number): string {
  return timeOf(ms).slice(0, 10)
}

function hashOf(text: string): string {
  return `\\x${createHash('sha256').update(text).digest('hex')}`
}

function uuid(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}
