/** The entry of the web client: puts the application on the page, or in a frame its player alone. */
import { QueryClientProvider } from '@tanstack/react-query'
import { type ComponentType, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { watchBack } from './back-guard.ts'
import { isEmbedded } from './embedding.ts'
import { keepFirstFrame } from './first-frame.tsx'
import { createQueryClient } from './query-client.ts'

const place = document.getElementById('app')
if (!place) throw new Error('index.html has no #app to put the application in')
const root = createRoot(place)

watchBack()
keepFirstFrame(place)

function show(Application: ComponentType): void {
  root.render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <Application />
      </QueryClientProvider>
    </StrictMode>,
  )
}

// Where its script does not come, the picture and the link that the server wrote stay.
if (isEmbedded()) void import('./embedded-app.tsx').then(({ EmbeddedApp }) => show(EmbeddedApp))
else show(App)
