/** The entry of the web client: puts the application on the page. */
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { watchBack } from './back-guard.ts'
import { EmbeddedApp } from './embedded-app.tsx'
import { isEmbedded } from './embedding.ts'
import { keepFirstFrame } from './first-frame.tsx'
import { createQueryClient } from './query-client.ts'

const place = document.getElementById('app')
if (!place) throw new Error('index.html has no #app to put the application in')

watchBack()
keepFirstFrame(place)

createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      {isEmbedded() ? <EmbeddedApp /> : <App />}
    </QueryClientProvider>
  </StrictMode>,
)
