/**
 * Requests a script that was lost once more. Browsers remember that a module failed to load and never
 * request the same address again, so the second request has another one: `page.js?again`.
 */
import type { Plugin } from 'vite'

const dynamicImport = /\bimport\((["'`])(\.\/[\w.-]+\.js)\1\)/g

/** A moment later, since a network that is changing or a server that restarts is soon back. */
const waitMs = 800

export function retriedImports(): Plugin {
  return {
    name: 'retried-imports',
    apply: 'build',
    // Before languages.ts, which copies the scripts.
    enforce: 'pre',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk') file.code = file.code.replaceAll(dynamicImport, retried)
      },
    },
  }
}

function retried(request: string, _: string, path: string): string {
  return `${request}.catch(()=>new Promise(r=>setTimeout(r,${waitMs})).then(()=>import("${path}?again")))`
}
