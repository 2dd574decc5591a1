/** The cached pages of the vault's list, when the newest page is read again. */
import { expect, test } from 'vitest'
import { withNewest } from '../../src/web/features/vault/vault-cache.ts'

type VaultPage = Parameters<typeof withNewest>[1]

/** Returns files by their ids, newest first. Every page but the last has a next page. */
function page(ids: readonly number[], totalCount: number, isLast = false): VaultPage {
  const files = ids.map((id) => ({ id })) as VaultPage['files']
  return { files, totalCount, nextCursor: isLast ? null : 'next' } as VaultPage
}

const idsOf = (pages: readonly VaultPage[]) => pages.map(({ files }) => files.map(({ id }) => id))

const known = [page([9, 8, 7, 6], 8), page([5, 4, 3, 2], 8, true)]

test('new files come in front, and what they push out of the first page stays', () => {
  const { pages, isWhole } = withNewest(known, page([11, 10, 9, 8], 10))
  expect(idsOf(pages)).toEqual([
    [11, 10, 9, 8, 7, 6],
    [5, 4, 3, 2],
  ])
  expect(isWhole).toBe(true)
})

test('files that were deleted elsewhere leave the list', () => {
  const { pages, isWhole } = withNewest(known, page([9, 7, 6, 5], 7))
  expect(idsOf(pages)).toEqual([
    [9, 7, 6, 5],
    [5, 4, 3, 2],
  ])
  expect(isWhole).toBe(true)
})

test('if the counts show that later pages changed, all are loaded again', () => {
  expect(withNewest(known, page([9, 8, 7, 6], 7)).isWhole).toBe(false)
  expect(withNewest(known, page([10, 9, 8, 7], 8)).isWhole).toBe(false)
})

test('a list of one page is what was read', () => {
  const [first] = known
  expect(idsOf(withNewest(first ? [first] : [], page([3], 1, true)).pages)).toEqual([[3]])
})
