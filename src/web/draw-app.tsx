/** Puts the application on the page. */
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { watchBack } from './back-guard.ts'
import { preparePage } from './pages.ts'
import { createQueryClient } from './query-client.ts'

export async function drawApp(): Promise<void> {
  const place = document.getElementById('app')
  if (!place) throw new Error('index.html has no #app to put the application in')
  watchBack()
  await preparePage(location.pathname)
  createRoot(place).render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <App />
      </QueryClientProvider>
    </StrictMode>,
  )
}
