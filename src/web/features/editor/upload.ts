/** Sends files into the vault and says how far each has come, which fetch cannot. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { client } from '../../api.ts'
import { api } from '../../../contract/api.ts'
import type { VaultFile } from './new-slide.ts'

export type Upload = {
  readonly id: number
  readonly name: string
  /** From 0 to 1. */
  readonly share: number
  readonly failure: string | null
}

/** `onDone` gets each file that has arrived. */
export function useUploads(onDone: (file: VaultFile) => void) {
  const queryClient = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const lastId = useRef(0)

  const change = (id: number, part: Partial<Upload>) =>
    setUploads((uploads) =>
      uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)),
    )

  async function send(files: readonly File[]) {
    const waiting = files.map((file) => ({ id: (lastId.current += 1), file }))
    setUploads((uploads) => [
      ...uploads,
      ...waiting.map(({ id, file }) => ({ id, name: file.name, share: 0, failure: null })),
    ])
    for (const { id, file } of waiting) {
      const answer = await sendFile(file, (share) => change(id, { share }))
      change(id, 'failure' in answer ? answer : { share: 1 })
      if ('failure' in answer) continue
      await queryClient.invalidateQueries({ queryKey: ['vault'] })
      const { files: newest } = await client.vault.list({ query: { limit: '20' } })
      for (const stored of newest) if (stored.id === answer.mediaId) onDone(stored)
    }
  }
  return { uploads, send }
}

type Answer = { readonly mediaId: number | null } | { readonly failure: string }

function sendFile(file: File, onShare: (share: number) => void): Promise<Answer> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const form = new FormData()
    form.append('source', 'general')
    form.append('file', file)
    request.open(api.vault.upload.method, api.vault.upload.path)
    request.setRequestHeader('accept', 'application/json')
    request.upload.addEventListener('progress', ({ loaded, total }) => onShare(loaded / total))
    request.addEventListener('error', () =>
      resolve({ failure: 'The server cannot be reached. Try again in a moment.' }),
    )
    request.addEventListener('load', () => resolve(readAnswer(request)))
    request.send(form)
  })
}

function readAnswer({ status, responseText }: XMLHttpRequest): Answer {
  const body = parse(responseText)
  if (status < 400) return { mediaId: typeof body['mediaId'] === 'number' ? body['mediaId'] : null }
  const said = [body['message'], body['suggestion']].filter((part) => typeof part === 'string')
  return { failure: said.length === 0 ? `The server answered ${status}.` : said.join(' ') }
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
