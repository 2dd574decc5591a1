/** The service worker as pages ask it. */
import type { WorkerRequest } from './kept-names.ts'

export function askWorker(worker: ServiceWorker, request: WorkerRequest, port?: MessagePort): void {
  worker.postMessage(request, port ? [port] : [])
}

/** Null where there is none, and never will be. */
export async function activeWorker(): Promise<ServiceWorker | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration) return null
  return (await navigator.serviceWorker.ready).active
}
