/** Checks that only listed files read the trash. All other code reads the views without it. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const features = new URL('../../src/server/features/', import.meta.url)

/** The number of times that a file reads the tables instead of the views, and the reason. */
const readsTheTrash: Readonly<Record<string, readonly [reads: number, why: string]>> = {
  'account-export/queries.ts': [8, 'an account takes its trash along'],
  'admin/stat-queries.ts': [4, 'the trash is stored as well'],
  'deletion/queries.ts': [4, 'an account goes with its trash'],
  'frames/queries.ts': [1, 'a session in the trash keeps its turn on a frame'],
  'moderation/blocked-queries.ts': [2, 'a takedown reaches the trash'],
  'moderation/report-queries.ts': [2, 'what a live session shows may be in the trash'],
  'moderation/report-reach-queries.ts': [2, 'a takedown reaches the trash'],
  'moderation/takedown-queries.ts': [5, 'a takedown reaches the trash'],
  'renditions/source-queries.ts': [2, 'sizes are made whatever becomes of a file'],
  'sessions/fill/fill-queries.ts': [4, 'a fill that has begun goes on in the trash'],
  'sessions/queries.ts': [1, 'a first session is had once'],
  'sessions/slides/slide-queries.ts': [1, 'own files of a session that ends'],
  'sessions/slides/vault-slide-queries.ts': [2, 'slides of sessions in the trash change too'],
  'trash/queries.ts': [4, 'it is the trash'],
  'vault/enrich/enrich-queries.ts': [1, 'a look that has begun goes on in the trash'],
  'vault/list/reconcile-queries.ts': [3, 'a file in the trash has a record'],
  'vault/queries.ts': [1, 'a name is taken in the trash too'],
  'visibility/adult-sessions.ts': [1, 'what its owner called adult stays so for its copy'],
}

const reads =
  /\b(?:from|join) (?:sessions|vault_media)\b|\b(?:selectFrom|\w+Join)\('(?:sessions|vault_media)\b/g

test('sessions and the vault are read without the trash, but for those that say why', () => {
  const found = globSync('**/*.ts', { cwd: features }).flatMap((file) => {
    const source = readFileSync(new URL(file, features), 'utf8')
    const count = source.match(reads)?.length ?? 0
    return count === 0 ? [] : [[file, count] as const]
  })
  const known = Object.entries(readsTheTrash).map(([file, [count]]) => [file, count])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(known))
})
