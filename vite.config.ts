/**
 * Builds the web client, and serves it during development. The page has a strict Content-Security-Policy, so
 * nothing is inlined: every script, style, font and picture is a file.
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

// The oldest browsers with light-dark(), which the colour tokens use.
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
    // From this file the server lists in each page what the page needs first
    // (src/server/features/pages/page-beginnings.ts).
    manifest: '.chunks.json',
    assetsInlineLimit: 0,
    target: oldestBrowsers,
    modulePreload: {
      polyfill: false,
      // The server lists the first files of a page itself. Lists for all other pages would be larger than
      // everything that most visits load. Only styles are preloaded, so that a page is never shown unstyled.
      resolveDependencies: (_, files) => files.filter((file) => file.endsWith('.css')),
    },
    // Drop schemas that no page uses. Without this, a call that creates a schema counts as a side effect.
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['z'] },
      output: {
        codeSplitting: {
          groups: [
            // This chunk is small, so that it arrives and can show what to do when the rest does not arrive.
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
 * The typed client calls an endpoint by its method and path; only the compiler needs the schemas. So the
 * pages get a table of methods and paths instead of the contract, and no validation library.
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
  // The tests build the client with a test language.
  const folder = process.env['LANGUAGES_FOLDER'] ?? web('words/languages')
  return languages({ folder, translationModule: web('words/translation.ts') })
}

/** Builds the service worker for the pages that work offline: frames, stored sessions and the player. */
function offline(): Plugin {
  const pages = [
    'draw-app.tsx',
    'features/frames/frame-page.tsx',
    'features/kept/kept-page.tsx',
    'features/player/play-page.tsx',
  ]
  return serviceWorker({ entry: web('worker/worker.ts'), pages: pages.map(web) })
}
