/** Builds titles of pictures from a few words for each scene and mood. */
import type { Random } from '../painting/canvas/random.ts'
import type { MoodOf, SceneName, Words } from '../painting/repertoire.ts'
import * as nature from './words/nature.ts'
import * as paper from './words/paper.ts'
import * as town from './words/town.ts'

const words: { readonly [Name in SceneName]: Words<Name> } = {
  ...nature,
  ...paper,
  ...town,
}

/** Returns a title that is not in `taken`. */
export function nameTitle<Name extends SceneName>(
  random: Random,
  scene: Name,
  mood: MoodOf<Name>,
  taken: ReadonlySet<string>,
): string {
  const title = random.shuffle(titlesOf(scene, mood)).find((candidate) => !taken.has(candidate))
  if (title === undefined) throw new RangeError(`No title is left for ${scene} in ${mood}`)
  return title
}

/** Most titles name a subject and a mood; some name only one of the two. */
function titlesOf<Name extends SceneName>(scene: Name, mood: MoodOf<Name>): string[] {
  const { subjects, moods }: Words<Name> = words[scene]
  const phrases = moods[mood]
  return [
    ...subjects.flatMap((subject) => phrases.map((phrase) => `${subject}, ${phrase}`)),
    ...subjects,
    ...phrases.map(capitalise),
  ]
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
