/** Brings the service worker to the page, and a newer one in place of the old where no show runs. */
import { translation } from '../words/translation.ts'
import { askWorker } from './ask-worker.ts'

// While the pages are worked on they come as they are.
if (import.meta.env.PROD) void registerWorker()

async function registerWorker(): Promise<void> {
  // Only secure places have one; where it is refused, the pages are what they are without it.
  const registration = await navigator.serviceWorker
    ?.register(`/service-worker.js?language=${translation.language}`, { updateViaCache: 'none' })
    .catch(() => null)
  if (!registration) return
  const { active, waiting } = registration
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? ''
  const first = active ?? (await navigator.serviceWorker.ready).active
  if (first) askWorker(first, { ask: 'here', entry })
  if (waiting) askWorker(waiting, { ask: 'take-over' })
}
