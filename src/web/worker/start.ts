/** Registers the service worker. Lets a newer worker replace the old one if no show runs. */
import { translation } from '../words/translation.ts'
import { askWorker } from './ask-worker.ts'

// In development, pages are loaded without a worker.
if (import.meta.env.PROD) void registerWorker()

async function registerWorker(): Promise<void> {
  // Only secure contexts have service workers. If registration is refused, pages work without one.
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
