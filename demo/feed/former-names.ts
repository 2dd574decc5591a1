/**
 * File names that version 0.2.0 published and that slides still contain. Stills and thumbnails were WebP
 * then, and some subfeeds no longer exist. The name of a picture that no longer exists maps to another still.
 */
import { hashText } from '../painting/canvas/random.ts'
import { nameOf } from '../painting/painting.ts'
import { paintings } from './posts.ts'
import { postsInSubfeed, subfeeds } from './subfeeds.ts'

const goneSubfeeds = ['desertroads', 'pressedflowers', 'quietwoods', 'rainywindows', 'sunlitrooms']
const formerSubfeeds: ReadonlySet<string> = new Set([
  ...subfeeds.map(({ name }) => name),
  ...goneSubfeeds,
])
const stills = [...paintings.values()].filter(({ type }) => type === 'image')

/** Returns the current name of a file that was renamed; returns any other name unchanged. */
export function currentNameOf(name: string): string {
  const former = /^(([a-z_]+)-(\d\d)(?:-[1-4])?)(-s)?\.webp$/.exec(name)
  const [, id = '', subfeed = '', post = '', small] = former ?? []
  const isFormer =
    formerSubfeeds.has(subfeed) && Number(post) >= 1 && Number(post) <= postsInSubfeed
  const painting = paintings.get(id) ?? stills[hashText(id) % stills.length]
  if (!isFormer || !painting || (painting.extension === 'webp' && small === undefined)) return name
  // A former picture may be a film now. Its thumbnail replaces it.
  const isWhole = small === undefined && painting.type !== 'video'
  return nameOf({ painting, part: isWhole ? 'whole' : 'thumbnail' })
}
