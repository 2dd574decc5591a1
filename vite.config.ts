/**
 * How the web client is built, and served while it is being worked on. The page runs under a strict
 * Content-Security-Policy, so nothing is inlined: every script, style, font and picture is a file.
 */
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { api } from './src/contract/api.ts'

const serviceUrl = 'http://127.0.0.1:5000'

// The oldest browsers with light-dark(), which the colour tokens are written in.
const oldestBrowsers = ['chrome123', 'edge123', 'firefox120', 'safari17.5']

/** What every page needs, the player too, which does without all that pages with sessions share. */
const neededByAll = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|wouter|regexparam|use-sync-external-store)/',
    'node_modules/@tanstack/(?!.*(use(Infinite|Mutation)|[a-z]Observer))|queryObserver',
    'node_modules/lucide-react/dist/esm/(?!icons/)',
    'src/client/|src/contract/|vite/',
    String.raw`src/web/(api|embedding|first-frame|page-title|sign-in-address|back-guard)\.`,
    String.raw`src/web/ui/(button|toasts|skeleton)\.`,
    String.raw`src/web/features/accounts/(current-user|unsaved-work)\.`,
    String.raw`icons/(play|ellipsis|x)\.`,
  ].join('|'),
)

/** What the editor's preview and the pages of links share with the player. */
const neededByShows = new RegExp(
  [
    String.raw`src/web/features/player/(engine/|stage/transitions\.|playback-state\.)`,
    String.raw`src/web/features/sharing/share-password\.|src/web/ui/overlay-text\.`,
    String.raw`icons/(pause|captions|captions-off|volume-[a-z0-9]+)\.`,
  ].join('|'),
)

const sharedByPages = new RegExp(
  [
    String.raw`src/web/(session-events|frame/page-head)\.`,
    String.raw`src/web/ui/(mount|ticks|chip|field|select|search-field|empty-state)\.`,
    String.raw`src/web/features/sessions/(session-data|contact-sheet|fill-again|live-session)\.`,
    String.raw`src/web/features/accounts/prices\.`,
    'useMutation|mutationObserver|[uU]seInfiniteQuery|infiniteQueryObserver',
    String.raw`icons/(star|arrow-left|search|chevron-down)\.`,
  ].join('|'),
)

export default defineConfig({
  root: 'src/web',
  plugins: [react(), tailwindcss(), endpointTable()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    // The server names in a page what that page needs first (src/server/features/pages/page-beginnings.ts).
    manifest: '.chunks.json',
    assetsInlineLimit: 0,
    target: oldestBrowsers,
    modulePreload: { polyfill: false },
    // A schema that no page uses is dropped, though making it is a call.
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['z'] },
      // Each file is a request: what all pages with sessions share comes in one, not in twenty.
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: neededByAll, priority: 1 },
            { name: 'show', test: neededByShows, priority: 1 },
            { name: 'sessions', test: sharedByPages },
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
  const contractFile = fileURLToPath(new URL('./src/contract/api.ts', import.meta.url))
  // What machines ask is called by no page.
  const { operations: _, ...forPages } = api
  const table = Object.entries(forPages).map(([feature, endpoints]) => [
    feature,
    Object.fromEntries(
      Object.entries(endpoints).map(([name, { method, path }]) => [name, { method, path }]),
    ),
  ])
  const code = `export const api = ${JSON.stringify(Object.fromEntries(table))}`
  return { name: 'endpoint-table', load: (id) => (id === contractFile ? code : null) }
}
