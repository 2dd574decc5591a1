/**
 * Compiles PGlite's PostgreSQL. V8 compiles on its own threads as soon as this file is loaded, so a start
 * loads it before the rest of the service.
 */
import { readFile } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'

// V8 recompiles functions that have run for a while, with more optimisation, on other threads. A start
// runs much of PostgreSQL only briefly. Eight times the default budget saves a tenth of the CPU time of a
// start and makes the first 3000 session lists a third slower. A larger budget makes those twice as slow.
setFlagsFromString('--wasm-tiering-budget=100000000')

/** Missing from Node's types. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> }

export const compiledEngine: Promise<object> = compile()

// The code that opens a database reports the failure, possibly much later.
compiledEngine.catch(() => {})

async function compile(): Promise<object> {
  const url = new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))
  return WebAssembly.compile(await readFile(url))
}
