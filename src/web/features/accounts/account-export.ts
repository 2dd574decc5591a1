/**
 * Downloads everything that the account holds as one file. The server streams it, so its size is unknown in
 * advance; the page shows the bytes received so far. The browser stores the file outside the page's memory.
 */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiProblem } from '../../../client/client.ts'
import { api } from '../../../contract/api.ts'

/** Limits the updates of the byte count on the page. */
const reportAfterMs = 250

export function useAccountExport() {
  const [bytes, setBytes] = useState(0)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const take = useMutation({
    /** Returns true when the file was saved, false when the user stopped the download. */
    mutationFn: async (): Promise<boolean> => {
      const stop = new AbortController()
      running.current = stop
      setBytes(0)
      try {
        const response = await fetch(api.accounts.exportAccount.path, { signal: stop.signal })
        if (!response.ok || !response.body) throw await problemOf(response)
        const counted = response.body.pipeThrough(counting(setBytes))
        save(await new Response(counted).blob(), nameIn(response.headers))
        return true
      } catch (error) {
        if (stop.signal.aborted) return false
        throw error
      }
    },
  })
  return { take, bytes, cancel: () => running.current?.abort() }
}

function counting(report: (bytes: number) => void) {
  let bytes = 0
  let reportedAt = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, out) {
      bytes += chunk.byteLength
      if (performance.now() - reportedAt > reportAfterMs) {
        reportedAt = performance.now()
        report(bytes)
      }
      out.enqueue(chunk)
    },
    flush: () => report(bytes),
  })
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const { status, headers } = response
  const body: unknown = await response.json().catch(() => null)
  return new ApiProblem({ status, headers, body })
}

function nameIn(headers: Headers): string {
  return /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'account.zip'
}

function save(file: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The browser has started to read it by the next task.
  setTimeout(() => URL.revokeObjectURL(link.href))
}
