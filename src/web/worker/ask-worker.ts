/** Requests from pages to the service worker. */
import type { WorkerRequest } from './kept-names.ts'

export function askWorker(worker: ServiceWorker, request: WorkerRequest, port?: MessagePort): void {
  worker.postMessage(request, port ? [port] : [])
}

/** Returns the active worker. Returns null if none is registered. */
export async function activeWorker(): Promise<ServiceWorker | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration) return null
  return (await navigator.serviceWorker.ready).active
}
