/**
 * Verifies signatures of NOWPayments' callbacks (API documentation, "Instant Payments Notifications"):
 * HMAC-SHA512, in hex, of the body's JSON with the keys of every object sorted.
 */
import { createHmac } from 'node:crypto'
import { isSameText } from '../../../platform/signature.ts'

// A real callback has two levels. A deeper one is an attack.
const deepest = 20

export function isSignedByGateway(secret: string, body: unknown, signature: string | null) {
  if (signature === null) return false
  const given = signature.toLowerCase()
  return canonicalTexts(body).some((text) => isSameText(given, ipnSignature(secret, text)))
}

export function ipnSignature(secret: string, text: string): string {
  return createHmac('sha512', secret).update(text).digest('hex')
}

/**
 * Returns the texts that may be signed. The documentation's examples treat lists differently: the one for
 * Node converts them to objects with the positions as keys, those for PHP and Python keep them. Both sign
 * the whole body.
 */
function canonicalTexts(body: unknown): string[] {
  try {
    const texts = [{ listsAsObjects: true }, { listsAsObjects: false }].map((form) =>
      JSON.stringify(sorted(body, form, 0)),
    )
    return [...new Set(texts)]
  } catch (error) {
    if (error instanceof TooDeep) return []
    throw error
  }
}

function sorted(value: unknown, form: { listsAsObjects: boolean }, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) throw new TooDeep()
  if (Array.isArray(value) && !form.listsAsObjects)
    return value.map((item) => sorted(item, form, depth + 1))
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(fields.map(([key, item]) => [key, sorted(item, form, depth + 1)]))
}

class TooDeep extends Error {}
