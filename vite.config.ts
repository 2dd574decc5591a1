/**
 * How the web client is built, and served while it is being worked on. The page runs under a strict
 * Content-Security-Policy, so nothing is inlined: every script, style, font and picture is a file.
 */
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { iconsByPath } from './scripts/web-build/icons-by-path.ts'
import { notForPages } from './scripts/web-build/not-for-pages.ts'
import { serviceWorker } from './scripts/web-build/service-worker.ts'
import { sharedChunks } from './scripts/web-build/shared-chunks.ts'
import { api } from './src/contract/api.ts'

const serviceUrl = 'http://127.0.0.1:5000'

// The oldest browsers with light-dark(), which the colour tokens are written in.
const oldestBrowsers = ['chrome123', 'edge123', 'firefox120', 'safari17.5']

const web = (file: string) => fileURLToPath(new URL(`./src/web/${file}`, import.meta.url))
const contract = (file: string) => fileURLToPath(new URL(`./src/contract/${file}`, import.meta.url))

/**
 * Features, and single endpoints, that few pages call: those have a client of their own, and the
 * others' table is short.
 */
const areas: Readonly<Record<string, string>> = {
  // What machines ask is called by no page; administrators see what it says.
  operations: 'admin',
  images: 'studio',
  enhancement: 'studio',
  rooms: 'rooms',
  security: 'security',
  storage: 'vault',
  trash: 'vault',
  keys: 'security',
  connections: 'security',
  passkeys: 'security',
  secondFactor: 'security',
  frames: 'frames',
  credits: 'credits',
  payments: 'credits',
  captions: 'editor',
  feeds: 'editor',
  'accounts.deleteAccount': 'security',
  'accounts.holdings': 'security',
  'accounts.referrals': 'credits',
}

/** Of such features, what other pages call all the same. */
const calledElsewhere = new Set(['captions.generate', 'credits.pricing', 'feeds.suggest'])

export default defineConfig({
  root: 'src/web',
  plugins: [iconsByPath(), react(), tailwindcss(), endpointTable(), offline()],
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
            // Runs before the words are there, so nothing that has words may be with it.
            { name: 'start', tags: ['$initial'], priority: 9 },
            ...sharedChunks({
              drawing: web('draw-app.tsx'),
              table: web('pages.ts'),
              show: web('features/player/stage/slide-frame.ts'),
              player: web('features/player/player.tsx'),
              first: [web('features/library/library-page.tsx'), web('frame/for-members.tsx')],
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
  const tables = {
    [contract('api.ts')]: `export const api = ${tableOf(null)}`,
    [contract('admin-api.ts')]: `export const adminApi = ${tableOf('admin')}`,
    [contract('security-api.ts')]: `export const securityApi = ${tableOf('security')}`,
    [contract('frames-api.ts')]: `export const framesApi = ${tableOf('frames')}`,
    [contract('credits-api.ts')]: `export const creditsApi = ${tableOf('credits')}`,
    [contract('editor-api.ts')]: `export const editorApi = ${tableOf('editor')}`,
    [contract('rooms-api.ts')]: `export const roomsApi = ${tableOf('rooms')}`,
    [contract('studio-api.ts')]: `export const studioApi = ${tableOf('studio')}`,
    [contract('vault-api.ts')]: `export const vaultApi = ${tableOf('vault')}`,
  }
  return { name: 'endpoint-table', load: (id) => tables[id] ?? null }
}

function tableOf(area: string | null): string {
  const table = Object.entries(api).map(([feature, endpoints]) => [
    feature,
    Object.fromEntries(
      Object.entries(endpoints)
        .filter(([name]) => !(`${feature}.${name}` in notForPages))
        .filter(([name, { who }]) => areaOf(feature, name, who) === area)
        .map(([name, { method, path }]) => [name, { method, path }]),
    ),
  ])
  return JSON.stringify(
    Object.fromEntries(table.filter(([, group]) => Object.keys(group ?? {}).length > 0)),
  )
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

function areaOf(feature: string, name: string, who: string): string | null {
  if (who === 'admin') return 'admin'
  const whole = `${feature}.${name}`
  return areas[whole] ?? (calledElsewhere.has(whole) ? null : (areas[feature] ?? null))
}
