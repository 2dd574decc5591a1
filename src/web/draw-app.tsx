/** Renders the application, or only the player in a frame on another site. */
import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { watchBack } from './back-guard.ts'
import { isEmbedded } from './embedding.ts'
import { keepFirstFrame } from './first-frame.tsx'
import { loadFrame, preparePage } from './routes.ts'
import { watchLinks } from './link-intent.ts'
import { watchMoves } from './page-moves.ts'
import { queryClient } from './query-client.ts'

export async function drawApp(): Promise<void> {
  const container = document.getElementById('app')
  if (!container) throw new Error('index.html has no #app to put the application in')
  watchBack()
  // The queries of the next page are requested along with its script.
  watchMoves(() => void preparePage(queryClient, location))
  // Until then, and if a script fails to load, the server's HTML stays.
  const Application = await prepareApplication()
  keepFirstFrame(container)
  const root = createRoot(container)
  // As a transition, which React renders in parts, so that a slow phone stays responsive.
  startTransition(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          <Application />
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
}

async function prepareApplication(): Promise<ComponentType> {
  if (isEmbedded()) return (await import('./embedded-app.tsx')).EmbeddedApp
  // First the frame: preparing the page uses up the server's mark of a visitor.
  const frame = loadFrame(location.pathname)
  const preparation = preparePage(queryClient, location)
  await Promise.all([frame, withinGrace(preparation)])
  watchLinks(queryClient)
  // Starts the service worker after the page is prepared: once a worker controls the page, preloaded files
  // are no longer used.
  void preparation.then(() => import('./worker/start.ts'))
  return App
}

/** After this time the frame is rendered before the page is ready. */
const graceMs = 300

function withinGrace(preparation: Promise<void>): Promise<void> {
  const grace = new Promise<void>((resolve) => setTimeout(resolve, graceMs))
  return Promise.race([preparation, grace])
}
