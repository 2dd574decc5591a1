/** The pictures that the demo feed lists and finds, without painting any. */
import { describe, expect, test } from 'vitest'
import { postsOfSubfeed, searchPosts, sortPosts } from '../../demo/feed/catalogue.ts'
import { paintings, posts } from '../../demo/feed/posts.ts'
import { subfeeds } from '../../demo/feed/subfeeds.ts'
import { fileNameOf } from '../../demo/painting/painting.ts'
import { repertoire } from '../../demo/painting/repertoire.ts'

const names = subfeeds.map(({ name }) => name)
const all = [...paintings.values()]

test('there are several hundred pictures, a few animations and videos, over a dozen subfeeds', () => {
  expect(new Set(names).size).toBeGreaterThanOrEqual(12)
  const count = (type: string) => all.filter((painting) => painting.type === type).length
  expect(count('image')).toBeGreaterThanOrEqual(300)
  expect(count('gif')).toBeGreaterThanOrEqual(4)
  expect(count('video')).toBeGreaterThanOrEqual(3)
})

test('no two posts, pictures or files share a name, and every name is fit for an address', () => {
  const media = posts.flatMap((post) => post.media)
  expect(new Set(posts.map(({ id }) => id)).size).toBe(posts.length)
  expect(paintings.size).toBe(media.length)
  for (const painting of media)
    expect(fileNameOf(painting)).toMatch(/^[a-z0-9_-]+\.(jpg|webp|gif|webm)$/)
})

test('pictures have one of three sizes, films are 1280 pixels wide', () => {
  const sizesOf = (wanted: string) =>
    new Set(
      all.flatMap(({ type, width, height }) => (type === wanted ? [`${width}×${height}`] : [])),
    )
  expect(sizesOf('image')).toEqual(new Set(['1600×1000', '1200×1600', '1280×1280']))
  expect([...sizesOf('video')].every((size) => size.startsWith('1280×'))).toBe(true)
})

test('no two pictures are painted from the same scene, mood and seed', () => {
  const recipes = all.map(({ scene, mood, seed }) => `${scene}/${mood}/${seed}`)
  expect(new Set(recipes).size).toBe(all.length)
})

test('nothing is adult, a few are spoilers', () => {
  expect(posts.some(({ nsfw }) => nsfw)).toBe(false)
  const spoilers = posts.filter(({ spoiler }) => spoiler)
  expect(spoilers.length).toBeGreaterThan(0)
  expect(spoilers.length).toBeLessThan(posts.length / 20)
})

test('every scene is shown in every one of its moods', () => {
  const shown = new Set(all.map(({ scene, mood }) => `${scene}/${mood}`))
  const missing = Object.entries(repertoire).flatMap(([scene, { moods }]) =>
    moods.map((mood) => `${scene}/${mood}`).filter((mood) => !shown.has(mood)),
  )
  expect(missing).toEqual([])
})

describe.each(names)('%s', (name) => {
  const list = postsOfSubfeed(name)

  test('has enough for most of a session, with its own titles', () => {
    expect(list.length).toBeGreaterThanOrEqual(20)
    expect(new Set(list.map(({ title }) => title)).size).toBe(list.length)
    for (const { title, author, score, commentCount } of list) {
      expect(title).toMatch(/^\S.{2,}/)
      expect(author).toMatch(/^\w+$/)
      expect(Math.min(score, commentCount)).toBeGreaterThanOrEqual(0)
    }
  })

  test('shows several scenes and moods among its first nine', () => {
    const first = sortPosts(list, 'hot').slice(0, 9)
    const kinds = first.map(({ media }) => `${media[0]?.scene}/${media[0]?.mood}`)
    expect(new Set(kinds).size).toBeGreaterThanOrEqual(5)
  })
})

test('the three orders hold the same posts, the newest or the best liked first', () => {
  const list = postsOfSubfeed('deepsky')
  const ids = (sorted: typeof list) => sorted.map(({ id }) => id).sort()
  expect(ids(sortPosts(list, 'new'))).toEqual(ids(sortPosts(list, 'hot')))
  const times = sortPosts(list, 'new').map(({ createdAtUnixS }) => createdAtUnixS)
  expect(times).toEqual([...times].sort((a, b) => b - a))
  const scores = sortPosts(list, 'top').map(({ score }) => score)
  expect(scores).toEqual([...scores].sort((a, b) => b - a))
})

describe('a name that the demo does not know', () => {
  test('returns pictures all the same, always the same ones, under its own name', () => {
    const list = postsOfSubfeed('earth_pictures')
    expect(list.length).toBeGreaterThanOrEqual(20)
    expect(postsOfSubfeed('Earth_Pictures')).toEqual(list)
    expect(new Set(list.map(({ subfeed }) => subfeed))).toEqual(new Set(['earth_pictures']))
  })

  test('returns other pictures than another name', () => {
    const first = postsOfSubfeed('one_name').map(({ id }) => id)
    const second = postsOfSubfeed('another_name').map(({ id }) => id)
    expect(first).not.toEqual(second)
  })

  test('returns pictures of its subject first', () => {
    const scenes = postsOfSubfeed('moonlovers').map(({ media }) => media[0]?.scene)
    expect(scenes.filter((scene) => scene === 'moon').length).toBeGreaterThanOrEqual(8)
  })
})

test('the best of a subfeed is one of its hottest, and still', () => {
  const best = postsOfSubfeed('slowwater_best')
  expect(best.flatMap(({ media }) => media.map(({ type }) => type))).toEqual(['image'])
  const hottest = sortPosts(postsOfSubfeed('slowwater'), 'hot').slice(0, 6)
  expect(hottest.map(({ id }) => id)).toContain(best[0]?.id)
})

describe('search', () => {
  test('finds by words of titles, best first', () => {
    const found = searchPosts('snow')
    expect(found.length).toBeGreaterThan(3)
    expect(found[0]?.title.toLowerCase()).toContain('snow')
  })

  test('finds by the names of subfeeds, scenes and moods, in one or many', () => {
    expect(searchPosts('nightcities').every(({ subfeed }) => subfeed === 'nightcities')).toBe(true)
    expect(searchPosts('mountains').some(({ subfeed }) => subfeed === 'mountainlight')).toBe(true)
    expect(searchPosts('jellyfish')[0]?.media[0]?.scene).toBe('jellyfish')
    expect(searchPosts('VIDEO').some(({ media }) => media[0]?.type === 'video')).toBe(true)
  })

  test('puts what fits two words before what fits one', () => {
    const [best] = searchPosts('violet aurora')
    expect(best?.media[0]).toMatchObject({ scene: 'aurora', mood: 'violet' })
  })

  test.each(['zzzz', 'a', 'the and for', '', '%', '....'])('finds nothing for %o', (query) => {
    expect(searchPosts(query)).toEqual([])
  })
})
