/**
 * Builds the service worker as a separate file, at a path from which it may control every page. The list of
 * files that it caches is derived from the built pages that work offline.
 */
import { createHash } from 'node:crypto'
import { build, type Plugin } from 'vite'

type Options = {
  readonly entry: string
  /** The modules of the pages that work offline, and of the code that renders them. */
  readonly pages: readonly string[]
}

const fileName = 'service-worker.js'

export function serviceWorker({ entry, pages }: Options): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const kept = new Set<string>()
      const features = pages.filter((page) => page.includes('/features/')).map(folderOf)
      const keep = (name: string) => {
        const chunk = chunks.find((one) => one.fileName === name)
        if (!chunk || kept.has(name)) return
        kept.add(name)
        for (const style of chunk.viteMetadata?.importedCss ?? []) kept.add(style)
        chunk.imports.forEach(keep)
        // Modules that a player imports while it plays, but not the other pages in the table of pages.
        const later = chunk.moduleIds
          .filter((id) => features.some((folder) => id.startsWith(folder)))
          .flatMap((id) => this.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
        for (const { fileName, moduleIds } of chunks)
          if (later.some((id) => moduleIds.includes(id))) keep(fileName)
      }
      for (const chunk of chunks) {
        if (chunk.isEntry || pages.includes(chunk.facadeModuleId ?? '')) keep(chunk.fileName)
      }
      for (const name of Object.keys(bundle)) if (name.endsWith('.woff2')) kept.add(name)
      const files = [...kept].map((name) => `/${name}`).toSorted()
      const name = createHash('sha256').update(files.join()).digest('hex').slice(0, 16)
      const source = await buildWorker(entry, { name, files })
      this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/') + 1)
}

async function buildWorker(
  entry: string,
  told: { readonly name: string; readonly files: readonly string[] },
): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    define: { BUILD: JSON.stringify(told) },
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: entry, output: { format: 'iife', entryFileNames: fileName } },
    },
  })
  const outputs = Array.isArray(built) ? built : [built]
  for (const result of outputs)
    if ('output' in result)
      for (const file of result.output) if (file.type === 'chunk') return file.code
  throw new Error('the service worker was not built')
}
