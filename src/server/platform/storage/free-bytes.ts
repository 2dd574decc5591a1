/**
 * Frees the memory of large buffers at once. Otherwise the bytes of a few pictures or of one large file
 * trigger the garbage collector repeatedly, and each run goes through the whole heap.
 */

/** Frees the bytes: no code may read them again. Skips a view of a part, because its buffer is shared. */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
