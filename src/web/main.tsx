/** The entry of the web client: puts the application on the page. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { watchWayBack } from './way-back.ts'

const place = document.getElementById('app')
if (!place) throw new Error('index.html has no #app to put the application in')

// Requests are counted by the server, so nothing is asked for again just because a window was
// looked at: what changes elsewhere is announced (see features/accounts/current-user.ts).
const queryClient = new QueryClient({
  defaultOptions: { queries: { refetchOnWindowFocus: false, retry: false, staleTime: 60_000 } },
})

watchWayBack()

createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
