/** The words that a scene's pictures are named from. */
import type { MoodOf, SceneName } from '../repertoire.ts'

export type Words<Name extends SceneName> = {
  readonly subjects: readonly string[]
  readonly moods: { readonly [Mood in MoodOf<Name>]: readonly string[] }
}
