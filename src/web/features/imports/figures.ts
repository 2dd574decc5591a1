/** Amounts as people read them. */

/** '12.4 MB'. */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  const [size, unit] =
    bytes < 999_500
      ? [bytes / 1000, 'KB']
      : bytes < 999_500_000
        ? [bytes / 1e6, 'MB']
        : [bytes / 1e9, 'GB']
  return `${size.toLocaleString('en', { maximumFractionDigits: size < 100 ? 1 : 0 })} ${unit}`
}

/** '3 files'. */
export function count(amount: number, noun: string): string {
  const plural = noun.endsWith('s') ? `${noun}es` : `${noun}s`
  return `${amount.toLocaleString('en')} ${amount === 1 ? noun : plural}`
}
