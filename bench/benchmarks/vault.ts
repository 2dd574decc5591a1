/** The vault's list: a page of 50 of someone who has 100, 1,000 or 10,000 files, and all of 1,000. */
import type { Benchmark, Call, TimedRequest } from '../harness/benchmark.ts'
import { cookieOf, seedPeople } from '../harness/people.ts'

/** People 1 to 8 have 100 files each, the next 8 have 1,000, the last 8 have 10,000. */
const shelves = [100, 1000, 10_000].map((files, place) => ({
  files,
  people: Array.from({ length: 8 }, (_, n) => place * 8 + n + 1),
}))

const pageOf = (files: number): TimedRequest => list(files, '?limit=50', 'page of 50 of', 32)

export const benchmark: Benchmark = {
  ours: '../contenders/ours-without-workers.ts',
  seed: async (scripts) => {
    await seedPeople(scripts)
    for (const { files, people } of shelves)
      await scripts.run(`
        insert into vault_media (user_id, name, original_name, file_name, file_path, file_size,
          mime_type, source, width, height, thumbnail_widths, enrichment_status, enriched_at,
          created_at)
        select 'person-' || person, 'Evening “' || n || '”.png', 'Evening “' || n || '”.png',
          'general-' || 1700000000000 + n || '-Evening_' || n || '.png',
          'users/person-' || person || '/General/general-' || 1700000000000 + n || '-Evening_' || n
            || '.png', 100000 + n, 'image/png',
          (array['general', 'smart-caption', 'babecock'])[n % 3 + 1], 1920, 1080,
          array[320, 640, 1280], 'completed', date_trunc('milliseconds', now()),
          date_trunc('milliseconds', now()) - n * interval '1 minute'
        from unnest(array[${people.join(', ')}]) person, generate_series(1, ${files}) n
        order by n, person`)
  },
  requests: [pageOf(100), pageOf(1000), pageOf(10_000), list(1000, '', 'all of', 4)],
}

function list(files: number, query: string, words: string, connections: number): TimedRequest {
  const people = shelves.find((shelf) => shelf.files === files)?.people ?? []
  const [first, ...others] = people.map((person): Call => ({
    method: 'GET',
    path: `/api/user/media${query}`,
    headers: { cookie: cookieOf(person) },
  }))
  if (!first) throw new Error(`nobody has ${files} files`)
  return { name: `${words} ${files} files`, connections, calls: [first, ...others] }
}
