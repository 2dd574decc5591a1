/** Puts the application on the page, or in a frame on another site its player alone. */
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
  const place = document.getElementById('app')
  if (!place) throw new Error('index.html has no #app to put the application in')
  watchBack()
  // The queries of the next page are requested along with its script.
  watchMoves(() => void preparePage(queryClient, location))
  // Until then, and where a script does not come, what the server wrote stays.
  const Application = await prepareApplication()
  keepFirstFrame(place)
  const root = createRoot(place)
  // In pieces, between which a slow phone hears its owner.
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
  const preparation = preparePage(queryClient, location)
  await Promise.all([loadFrame(location.pathname), withinGrace(preparation)])
  watchLinks(queryClient)
  // Nothing waits for it, and it waits for the page: what was preloaded before a worker takes the page
  // over is not used after it.
  void preparation.then(() => import('./worker/start.ts'))
  return App
}

/** Longer than that, and the frame is drawn meanwhile. */
const graceMs = 300

function withinGrace(preparation: Promise<void>): Promise<void> {
  const grace = new Promise<void>((resolve) => setTimeout(resolve, graceMs))
  return Promise.race([preparation, grace])
}
