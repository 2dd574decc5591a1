/** Sessions of the seeded users: some with a known number, and many of other users. */
import type { Scripts } from '../../src/server/database/database.ts'
import type { Scale } from './scale.ts'

/** Users 1 to 16 have 50 sessions each, the next 16 have 200. */
export const listersOf50 = peopleFrom(1)
export const listersOf200 = peopleFrom(17)
/** Users without sessions at first, who create some. */
export const makers = Array.from({ length: 64 }, (_, n) => 101 + n)
/** Other users. A smoke run has fewer, after the makers. */
const others = { full: { first: 1001, count: 9000 }, smoke: { first: 171, count: 30 } }

const filledPerLister = 4
const slidesPerSession = 25

/** Sessions with 25 slides each, and their owners. */
export const filledSessions = listersOf50.flatMap((person, place) =>
  Array.from({ length: filledPerLister }, (_, n) => ({ person, id: place * 50 + n + 1 })),
)

/** Seeds the sessions. Ids follow the order of the rows, so that requests can name them. */
export async function seedSessions(scripts: Scripts): Promise<void> {
  await scripts.run('update credit_accounts set balance = 1000000000')
  await insertSessions(scripts, {
    rows: `generate_series(1, 16) person, generate_series(1, 50) n`,
    order: 'person, n',
  })
  await insertSessions(scripts, {
    rows: `generate_series(17, 32) person, generate_series(1, 200) n`,
    order: 'person, n',
  })
  await scripts.run(`
    insert into session_media (session_id, position, media_url, thumbnail, caption, type, title,
      feed_post_id, feed_post_url, subfeed, width, height, duration_ms, nsfw)
    select id, place, 'https://pictures.example.test/' || id || '/' || place || '.jpg',
      'https://pictures.example.test/' || id || '/' || place || '-small.jpg',
      case when place % 3 = 0 then 'The lamps come on' || ${beyondAscii('(id - 1) / 50 + 1')} end, 'image',
      'A street at dusk', 't3_' || id || 'x' || place,
      'https://feed.example.test/r/city/comments/' || id || 'x' || place || '/a_street_at_dusk/',
      'city', 1920, 1080, case when place % 5 = 0 then 4000 end, false
    from unnest(array[${filledSessions.map(({ id }) => id).join(', ')}]) id,
      generate_series(0, ${slidesPerSession - 1}) place
    order by id, place;
    update sessions set media_count = ${slidesPerSession}
    where id in (select session_id from session_media)`)
  // The job table of raw and conventional; ours has the table of its own queue.
  await scripts.run(`
    create table bench_jobs (id bigint generated always as identity primary key,
      name text not null, payload jsonb not null, created_at timestamptz not null)`)
}

/** Adds sessions of other users up to `count`. */
export async function growOthersTo(scripts: Scripts, count: number, scale: Scale): Promise<void> {
  const { first, count: people } = scale(others.full, others.smoke)
  const listers = [...listersOf50, ...listersOf200].map((person) => `'person-${person}'`)
  const [found] = await scripts.read<{ others: string }>(
    `select count(*) as others from sessions where user_id not in (${listers.join(', ')})`,
  )
  const missing = count - Number(found?.others ?? 0)
  // The users and categories are known to exist, and checking a million foreign keys would take minutes.
  await scripts.run('set local session_replication_role = replica')
  await insertSessions(scripts, {
    rows: `generate_series(1, ${missing}) n, lateral (select ${first} + n % ${people} as person) p`,
    order: 'n',
  })
}

function insertSessions(scripts: Scripts, from: { rows: string; order: string }): Promise<void> {
  return scripts.run(`
    insert into sessions (user_id, title, subfeeds, category_id, category_source, interval_min,
      interval_max, transition, thumbnail, thumbnail_given, ai_prompt, caption_theme, is_public,
      is_favorite, is_manual_mode, tags, fill_status, fill_number, created_at, updated_at)
    select 'person-' || person, 'Evening ' || n || ${beyondAscii('person')}, array['city', 'night', 'rooftops'],
      n % 7 + 1, case when n % 7 = 0 then 'default' else 'manual' end, 3, 10 + n % 20,
      (array['fade', 'slide', 'zoom'])[n % 3 + 1], '/covers/' || lpad(to_hex(n), 16, '0') || '.svg',
      false, case when n % 4 = 0 then 'Say what the lamps see' end,
      case when n % 4 = 0 then 'custom' end, n % 10 = 0, n % 8 = 0, false,
      case when n % 2 = 0 then array['city', 'night'] else '{}' end, 'ready', 1,
      date_trunc('milliseconds', now()) - n * interval '1 minute',
      date_trunc('milliseconds', now()) - n * interval '1 second'
    from ${from.rows} order by ${from.order}`)
}

/** Returns text with multi-byte characters for every fourth user, because it is more costly to process. */
function beyondAscii(person: string): string {
  return `case when (${person}) % 4 = 0 then ' “über der Stadt 夜”' else '' end`
}

function peopleFrom(first: number): readonly number[] {
  return Array.from({ length: 16 }, (_, n) => first + n)
}
