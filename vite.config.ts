/**
 * How the web client is built, and served while it is being worked on. The page runs under a strict
 * Content-Security-Policy, so nothing is inlined: every script, style, font and picture is a file.
 */
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { iconsByPath } from './scripts/web-build/icons-by-path.ts'
import { languages } from './scripts/web-build/languages.ts'
import { notForPages } from './scripts/web-build/not-for-pages.ts'
import { retriedImports } from './scripts/web-build/retried-imports.ts'
import { serviceWorker } from './scripts/web-build/service-worker.ts'
import { sharedChunks } from './scripts/web-build/shared-chunks.ts'
import { api } from './src/contract/api.ts'

const serviceUrl = 'http://127.0.0.1:5000'

// The oldest browsers with light-dark(), which the colour tokens are written in.
const oldestBrowsers = ['chrome123', 'edge123', 'firefox120', 'safari17.5']

const web = (file: string) => fileURLToPath(new URL(`./src/web/${file}`, import.meta.url))
const contract = (file: string) => fileURLToPath(new URL(`./src/contract/${file}`, import.meta.url))

export default defineConfig({
  root: 'src/web',
  plugins: [
    iconsByPath(),
    react(),
    tailwindcss(),
    endpointTable(),
    retriedImports(),
    translated(),
    offline(),
  ],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // The server names in a page what that page needs first (src/server/features/pages/page-beginnings.ts).
    manifest: '.chunks.json',
    assetsInlineLimit: 0,
    target: oldestBrowsers,
    modulePreload: {
      polyfill: false,
      // The server names what a page begins with. Lists of what every other page would need are more
      // than all that most visits load; only styles are asked for beforehand, lest a page comes bare.
      resolveDependencies: (_, files) => files.filter((file) => file.endsWith('.css')),
    },
    // A schema that no page uses is dropped, though making it is a call.
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['z'] },
      output: {
        codeSplitting: {
          groups: [
            // Small, so that it can say what to do when the rest does not arrive.
            { name: 'start', tags: ['$initial'], priority: 9 },
            ...sharedChunks({
              drawing: web('draw-app.tsx'),
              table: web('routes.ts'),
              show: web('features/player/stage/slide-frame.ts'),
              player: web('features/player/player.tsx'),
              first: [web('features/library/library-page.tsx'), web('frame/app-frame.tsx')],
            }),
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': serviceUrl, '/media': serviceUrl },
  },
})

/**
 * The typed client calls an endpoint by its method and path; the schemas are for the compiler. So
 * in place of the contract a page gets a table of those two, and no validation library.
 */
function endpointTable(): Plugin {
  const table = Object.entries(api).map(([feature, endpoints]) => [
    feature,
    Object.fromEntries(
      Object.entries(endpoints)
        .filter(([name]) => !(`${feature}.${name}` in notForPages))
        .map(([name, { method, path }]) => [name, { method, path }]),
    ),
  ])
  const script = `export const api = ${JSON.stringify(Object.fromEntries(table))}`
  return { name: 'endpoint-table', load: (id) => (id === contract('api.ts') ? script : null) }
}

function translated(): Plugin {
  // The tests build the client in a language of their own.
  const folder = process.env['LANGUAGES_FOLDER'] ?? web('words/languages')
  return languages({ folder, translationModule: web('words/translation.ts') })
}

/** What is there without a network: a frame, a show of what is kept, and the list of that. */
function offline(): Plugin {
  const pages = [
    'draw-app.tsx',
    'features/frames/frame-page.tsx',
    'features/kept/kept-page.tsx',
    'features/player/play-page.tsx',
  ]
  return serviceWorker({ entry: web('worker/worker.ts'), pages: pages.map(web) })
}
