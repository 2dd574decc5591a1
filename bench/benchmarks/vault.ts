/** The vault's list: a page of 50 for users with 100, 1,000 or 10,000 files, and all of 1,000. */
import type { Scripts } from '../../src/server/database/database.ts'
import type { Benchmark, Call, TimedRequest } from '../harness/benchmark.ts'
import { cookieOf, seedPeople } from '../harness/people.ts'
import type { Scale } from '../harness/scale.ts'

/** Users with the same number of files. The first 8 users have few each, the next 8 more, the last 8 most. */
type Shelf = { readonly files: number; readonly people: readonly number[] }

export const benchmark = (scale: Scale): Benchmark => {
  const [few, more, max] = [100, 1000, scale(10_000, 2000)].map((files, place): Shelf => {
    const people = scale(8, 1)
    return { files, people: Array.from({ length: people }, (_, n) => place * people + n + 1) }
  }) as [Shelf, Shelf, Shelf]
  const pageOf = (shelf: Shelf) => list(shelf, '?limit=50', 'page of 50 of', scale(32, 4))
  return {
    ours: 'without workers',
    seed: async (scripts) => {
      await seedPeople(scripts, scale)
      for (const shelf of [few, more, max]) await seedShelf(scripts, shelf)
    },
    requests: [pageOf(few), pageOf(more), pageOf(max), list(more, '', 'all of', scale(4, 1))],
  }
}

function seedShelf(scripts: Scripts, { files, people }: Shelf): Promise<void> {
  return scripts.run(`
    insert into vault_media (user_id, name, original_name, file_name, file_path, file_size,
      mime_type, source, width, height, thumbnail_widths, enrichment_status, enriched_at,
      tags, is_favorite, created_at)
    select 'person-' || person, 'Evening “' || n || '”.png', 'Evening “' || n || '”.png',
      'general-' || 1700000000000 + n || '-Evening_' || n || '.png',
      'users/person-' || person || '/General/general-' || 1700000000000 + n || '-Evening_' || n
        || '.png', 100000 + n, 'image/png',
      (array['general', 'smart-caption', 'babecock'])[n % 3 + 1], 1920, 1080,
      array[320, 640, 1280], 'completed', date_trunc('milliseconds', now()),
      case when n % 4 = 0 then array['night', 'city'] else '{}' end, n % 8 = 0,
      date_trunc('milliseconds', now()) - n * interval '1 minute'
    from unnest(array[${people.join(', ')}]) person, generate_series(1, ${files}) n
    order by n, person`)
}

function list(
  { files, people }: Shelf,
  query: string,
  words: string,
  connections: number,
): TimedRequest {
  const [first, ...others] = people.map((person): Call => ({
    method: 'GET',
    path: `/api/user/media${query}`,
    headers: { cookie: cookieOf(person) },
  }))
  if (!first) throw new Error(`nobody has ${files} files`)
  return { name: `${words} ${files} files`, connections, calls: [first, ...others] }
}
