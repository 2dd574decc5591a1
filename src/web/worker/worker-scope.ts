/**
 * The part of the service worker's scope that ours uses. The TypeScript types of the pages describe
 * only windows.
 */

export type WorkerEvent = { waitUntil(work: Promise<unknown>): void }

export type FetchEvent = WorkerEvent & {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

export type MessageToWorker = WorkerEvent & {
  readonly data: unknown
  readonly ports: readonly MessagePort[]
  readonly source: WorkerClient | null
}

export type WorkerClient = { readonly id: string; readonly url: string }

export type WorkerScope = {
  readonly location: Location
  readonly registration: Pick<ServiceWorkerRegistration, 'installing' | 'waiting'>
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<WorkerClient[]>
    claim(): Promise<void>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void
  addEventListener(type: 'message', listener: (event: MessageToWorker) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}
