/** All posts of the demo, computed from the names of its subfeeds. They are the same on every machine. */
import type { Random } from '../painting/canvas/random.ts'
import { createRandom, hashText } from '../painting/canvas/random.ts'
import type { Painting } from '../painting/painting.ts'
import type { SceneName } from '../painting/repertoire.ts'
import { repertoire, shapes } from '../painting/repertoire.ts'
import type { Moving, Subfeed } from './subfeeds.ts'
import { postsInSubfeed, subfeeds } from './subfeeds.ts'
import { nameTitle } from './titles.ts'

export type Post = {
  readonly id: string
  readonly subfeed: string
  readonly title: string
  readonly author: string
  readonly score: number
  readonly commentCount: number
  readonly createdAtUnixS: number
  readonly nsfw: boolean
  readonly spoiler: boolean
  readonly media: readonly Painting[]
}

/** Start of the demo's calendar. The dates of all posts are counted from here, not from today. */
const epochUnixS = Date.UTC(2026, 0, 1) / 1000
const longestGapS = 9 * 60 * 60
const movingSizes = {
  webp: { width: 960, height: 960 },
  gif: { width: 480, height: 480 },
  webm: { width: 1280, height: 800 },
} as const

const authors = [
  'amberglass',
  'tidewatcher',
  'old_projector',
  'fieldnotes',
  'nine_blocks',
  'wickandflame',
  'harrow',
  'quietgrain',
  'magpie_wing',
  'slowshutter',
  'brassgear',
  'north_of_noon',
  'paperboat',
  'linnet',
  'coldframe',
  'saltmarsh',
] as const

export const posts: readonly Post[] = subfeeds.flatMap(postsOf)

export const paintings: ReadonlyMap<string, Painting> = new Map(
  posts.flatMap(({ media }) => media.map((painting) => [painting.id, painting])),
)

function postsOf(subfeed: Subfeed): Post[] {
  const random = createRandom(hashText(subfeed.name))
  const taken = new Set<string>()
  /** Number of times that each scene has been painted. */
  const turns = new Map<SceneName, number>()
  let createdAtUnixS = epochUnixS + random.whole(0, longestGapS)
  const moving = new Map(subfeed.moving.map((clip, i) => [placeOf(i, subfeed.moving.length), clip]))
  // In most subfeeds this index is beyond the last post, so only a few subfeeds have a spoiler.
  const spoilerTurn = random.whole(0, postsInSubfeed * 4)
  return Array.from({ length: postsInSubfeed }, (_, i): Post => {
    const clip = moving.get(i)
    const scene = clip?.scene ?? subfeed.scenes[i % subfeed.scenes.length] ?? 'ridges'
    const turn = turns.get(scene) ?? 0
    turns.set(scene, turn + 1)
    const mood = moodOf(subfeed, scene, turn)
    const id = `${subfeed.name}-${String(i + 1).padStart(2, '0')}`
    const title = nameTitle(random, scene, mood, taken)
    taken.add(title)
    createdAtUnixS += random.whole(900, longestGapS)
    // Most posts have a low score and a few have a very high one.
    const score = Math.round(12 * (1 / (1 - random.next() * 0.995)) ** 1.1)
    return {
      id,
      subfeed: subfeed.name,
      title,
      author: random.pick(authors),
      score,
      commentCount: Math.round(score * random.between(0.02, 0.12)),
      createdAtUnixS,
      nsfw: false,
      spoiler: i === spoilerTurn,
      media: clip
        ? [paintMoving(id, scene, mood, clip)]
        : paintStill(random, { id, scene, mood, turn, isGallery: i % 10 === 5 }),
    }
  })
}

/**
 * Returns the index of the post that shows a clip. Clips are spread through a subfeed. The first one is among
 * the newest posts, which visitors see first.
 */
function placeOf(clip: number, clips: number): number {
  return postsInSubfeed - 3 - Math.floor((clip * (postsInSubfeed - 4)) / Math.max(1, clips))
}

/** Returns the mood of a turn. All moods have a turn before one repeats. The order depends on the subfeed. */
function moodOf({ name }: Subfeed, scene: SceneName, turn: number) {
  const moods = createRandom(hashText(`${name}/${scene}`)).shuffle(repertoire[scene].moods)
  return moods[turn % moods.length] ?? repertoire[scene].moods[0]
}

function paintStill(
  random: Random,
  picture: { id: string; scene: SceneName; mood: string; turn: number; isGallery: boolean },
): Painting[] {
  const { id, scene, mood, turn } = picture
  const count = picture.isGallery ? random.whole(2, 4) : 1
  const { shapes: suited } = repertoire[scene]
  return Array.from({ length: count }, (_, part): Painting => {
    const shape = suited[(turn + part) % suited.length] ?? 'landscape'
    const name = count === 1 ? id : `${id}-${part + 1}`
    return {
      id: name,
      scene,
      mood,
      seed: hashText(name),
      extension: 'jpg',
      type: 'image',
      ...shapes[shape],
    }
  })
}

function paintMoving(id: string, scene: SceneName, mood: string, { as }: Moving): Painting {
  return {
    id,
    scene,
    mood,
    seed: hashText(id),
    extension: as,
    type: as === 'webm' ? 'video' : 'gif',
    ...movingSizes[as],
  }
}
