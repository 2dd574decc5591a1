/** A list from which any element can be removed, also during an iteration. */
import { expect, test } from 'vitest'
import { LinkedList } from '../../src/server/platform/concurrency/linked-list.ts'

function listOf(...values: string[]) {
  const list = new LinkedList<string>()
  return { list, links: values.map((value) => list.add(value)) }
}

const valuesOf = (list: LinkedList<string>) => list.links().map(({ value }) => value)

test('it keeps the order of arrival', () => {
  const { list } = listOf('one', 'two', 'three')
  expect([list.first, ...valuesOf(list)]).toEqual(['one', 'one', 'two', 'three'])
})

test.each([
  { at: 0, left: ['two', 'three'] },
  { at: 1, left: ['one', 'three'] },
  { at: 2, left: ['one', 'two'] },
])('what is taken out from place $at leaves the others in their order', ({ at, left }) => {
  const { list, links } = listOf('one', 'two', 'three')
  const link = links[at]
  if (!link) throw new Error('there are three')
  expect([list.remove(link), list.remove(link)]).toEqual([true, false])
  expect([list.first, ...valuesOf(list)]).toEqual([left[0], ...left])
  list.add('four')
  expect(valuesOf(list)).toEqual([...left, 'four'])
})

test('an emptied list can be used again', () => {
  const { list, links } = listOf('one', 'two')
  for (const link of list.links()) list.remove(link)
  expect([list.first, list.links().length, links.some(({ isListed }) => isListed)]).toEqual([
    undefined,
    0,
    false,
  ])
  list.add('three')
  expect(valuesOf(list)).toEqual(['three'])
})
