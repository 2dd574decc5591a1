/**
 * PGlite without its memory peak. V8 recompiles hot functions with more optimisation. For PostgreSQL's
 * grammar, one function of 100 KB, that takes 1.2 GB for some seconds during every start, and the function
 * gets no faster. So the grammar keeps its first compilation.
 */
import { setFlagsFromString } from 'node:v8'
import type { PGliteOptions } from '@electric-sql/pglite'
import { PGlite } from '@electric-sql/pglite'

/**
 * Opens or creates a database. A new one runs the grammar before its first statement, so everything that
 * runs until then is compiled once.
 */
export async function createPglite(
  options: PGliteOptions,
  { isFromNothing }: { readonly isFromNothing: boolean },
): Promise<PGlite> {
  if (isFromNothing) setFlagsFromString(compileOnce)
  const pglite = new SmallPglite(options)
  await pglite.waitReady
  return pglite
}

const compileOnce = '--wasm-tier-up-filter=0'
const compileAgain = '--wasm-tier-up-filter=-1'

class SmallPglite extends PGlite {
  /** PGlite's first statement of a start. */
  override async _initArrayTypes(options?: { force?: boolean }): Promise<void> {
    await this.#compileGrammar()
    await super._initArrayTypes(options)
  }

  /**
   * V8 compiles a function at its first call. While the filter names another function, V8 leaves out the
   * counters that would trigger a recompilation. An empty statement runs little but the grammar.
   */
  async #compileGrammar(): Promise<void> {
    setFlagsFromString(compileOnce)
    try {
      await this.exec(';')
    } finally {
      setFlagsFromString(compileAgain)
    }
  }
}
