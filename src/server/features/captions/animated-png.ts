/** Tells an animated PNG from a still one, which libvips takes for the same. */
const signatureBytes = 8

/** An animation announces its frames in a chunk before the first one with pixels. */
export function isAnimatedPng(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = signatureBytes; at + 12 <= bytes.length; at += view.getUint32(at) + 12) {
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (name === 'acTL') return view.getUint32(at + 8) > 1
    if (name === 'IDAT') return false
  }
  return false
}
