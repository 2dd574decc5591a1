/** Returns the name of a feature in the page's language, else the name from the server. */
import { words } from './words.ts'

const known = new Map<string, string>(Object.entries(words.features))

export function featureName(featureKey: string, displayName = featureKey): string {
  return known.get(featureKey) ?? displayName
}
