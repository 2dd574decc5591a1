/** Brings the service worker to the page, and a newer one in place of the old where no show runs. */
import type { WorkerRequest } from './kept-names.ts'

export async function registerWorker(): Promise<void> {
  // Only secure places have one; where it is refused, the pages are what they are without it.
  const registration = await navigator.serviceWorker
    ?.register('/service-worker.js', { updateViaCache: 'none' })
    .catch(() => null)
  if (!registration) return
  const { active, waiting } = registration
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? ''
  const first = active ?? (await navigator.serviceWorker.ready).active
  if (first) askWorker(first, { ask: 'here', entry })
  if (waiting) askWorker(waiting, { ask: 'take-over' })
}

export function askWorker(worker: ServiceWorker, request: WorkerRequest, port?: MessagePort): void {
  worker.postMessage(request, port ? [port] : [])
}

/** Null where there is none, and never will be. */
export async function activeWorker(): Promise<ServiceWorker | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration) return null
  return (await navigator.serviceWorker.ready).active
}
