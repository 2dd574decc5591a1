/**
 * Names of files that version 0.2.0 gave out and that slides still hold. Stills and small pictures were
 * WebP then, and some subfeeds have gone since: a picture that is like nothing of today has a stand-in.
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

/** The name under which a file is painted today; any other name stays as it is. */
export function currentNameOf(name: string): string {
  const former = /^(([a-z_]+)-(\d\d)(?:-[1-4])?)(-s)?\.webp$/.exec(name)
  const [, id = '', subfeed = '', post = '', small] = former ?? []
  const isFormer =
    formerSubfeeds.has(subfeed) && Number(post) >= 1 && Number(post) <= postsInSubfeed
  const painting = paintings.get(id) ?? stills[hashText(id) % stills.length]
  if (!isFormer || !painting || (painting.extension === 'webp' && small === undefined)) return name
  // What was a picture then may be a film now: its small picture stands for it.
  const isWhole = small === undefined && painting.type !== 'video'
  return nameOf({ painting, part: isWhole ? 'whole' : 'thumbnail' })
}
