/**
 * Bundles the server's files, and the packages that every start loads, into a few files in dist/server.
 * Reading 1,400 files one by one makes a start take twice the time of reading two dozen.
 */
import { existsSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import type { Plugin } from 'rolldown'
import type { BuildOptions } from './staged-build.ts'
import { buildIfStale } from './staged-build.ts'

const sources = [
  'src/server',
  'src/contract',
  'demo',
  'scripts/build-server.ts',
  'package-lock.json',
]

/** Entry points that run in their own thread or process. */
const programs = [
  'src/server/media/video-process.ts',
  'src/server/features/feeds/reading/reading-process.ts',
  'src/server/features/enhancement/providers/upscale-worker.ts',
  'demo/painting/paint-worker.ts',
]

/** Packages to bundle: all are plain JavaScript, with their dependencies. Others stay in node_modules. */
const packed = /^(@fastify\/.+|fastify|kysely|pg|pg-boss|prom-client|zod)$/
/** Packages that are not bundled. pino starts threads from its own files. */
const neverPacked = /^(pino|thread-stream|pg-native|pg-cloudflare)$/

export function buildServerIfStale(options: BuildOptions = {}): Promise<'built' | 'up to date'> {
  return buildIfStale({ name: 'server', words: 'server', sources, make }, options)
}

async function make(root: string, folder: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: ['src/server/main.ts', ...programs]
      .map((path) => join(root, path))
      .filter((path) => existsSync(path)),
    platform: 'node',
    external: isOutside,
    plugins: [keepPlaces(root)],
  })
  try {
    await bundle.write({ dir: folder, format: 'esm', sourcemap: true })
  } finally {
    await bundle.close()
  }
}

function isOutside(id: string, importer = ''): boolean {
  const [name] = /^(@[^/]+\/)?[^./][^/]*/.exec(id) ?? []
  if (name === undefined || isAbsolute(id)) return false
  if (neverPacked.test(name)) return true
  return !importer.includes('/node_modules/') && !packed.test(name)
}

/**
 * Keeps `import.meta.url` at each source file's original location, from which it finds the files beside it.
 * dist/server has the same depth as src/server, so relative paths work. Programs point to their built
 * files.
 */
function keepPlaces(root: string): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      const path = relative(root, id)
      if (!/^(src|demo)\b/.test(path) || !code.includes('import.meta.url')) return null
      const place = JSON.stringify(`../../${path}`)
      const kept = code
        .replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`)
        .replaceAll(/new URL\('\.\/([\w-]+)\.ts', new URL\(.*?\)\.href\)/g, (found, name: string) =>
          programs.some((program) => program.endsWith(`/${name}.ts`))
            ? `new URL('./${name}.js', import.meta.url)`
            : found,
        )
      // The number of lines stays the same, so stack traces are correct.
      return { code: path === 'src/server/load-demo.ts' ? withDemo(kept, root) : kept, map: null }
    },
  }
}

/** Bundles the demo too: its files share modules with the server's, which must not be loaded twice. */
function withDemo(code: string, root: string): string {
  if (!existsSync(join(root, 'demo/demo.ts'))) return code
  const loading = 'import(entry.href)'
  if (!code.includes(loading)) throw new Error(`load-demo.ts does not have ${loading}`)
  return code.replace(loading, "import('../../demo/demo.ts')")
}
