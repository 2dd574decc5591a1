/** What a feature is called where it costs something: in the page's language where that knows it. */
import { words } from './words.ts'

const known = new Map<string, string>(Object.entries(words.features))

export function featureName(featureKey: string, displayName = featureKey): string {
  return known.get(featureKey) ?? displayName
}
