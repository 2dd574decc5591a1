/**
 * PostgreSQL as PGlite brings it, compiled. V8 does that on threads of its own from the moment on that
 * this file is loaded, so a start loads it before the rest of the service and not after.
 */
import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'

// V8 compiles anew, and better, what has run for a while, on threads beside ours. A start runs through
// much of PostgreSQL for a moment only: with eight times the patience it takes a tenth less of the
// processor, and the first 3000 lists of sessions a third more. With more patience they take twice as much.
setFlagsFromString('--wasm-tiering-budget=100000000')

/** The types of Node leave it out. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

export const compiledEngine: Promise<object> = compile()

// It is for who opens a database to say what failed, which may be long after.
compiledEngine.catch(() => {})

async function compile(): Promise<object> {
  const place = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
  return WebAssembly.compile(await readFile(place))
}
