/** Puts the application on the page, or in a frame on another site its player alone. */
import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { watchBack } from './back-guard.ts'
import { isEmbedded } from './embedding.ts'
import { keepFirstFrame } from './first-frame.tsx'
import { preparePage } from './pages.ts'
import { queryClient } from './query-client.ts'

export async function drawApp(): Promise<void> {
  const place = document.getElementById('app')
  if (!place) throw new Error('index.html has no #app to put the application in')
  watchBack()
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
  await preparePage(location.pathname, queryClient)
  // Nothing waits for it.
  void import('./worker/start.ts')
  return App
}
