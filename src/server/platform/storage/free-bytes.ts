/**
 * Memory of large buffers, given back at once. Left to the garbage collector, the bytes of a few
 * pictures or of one large file bring it about again and again, and each time it goes through all
 * that the process holds.
 */

/** Nobody may look at the bytes again. A view of a part of a buffer is not alone, and stays. */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
