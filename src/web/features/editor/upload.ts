/** Sends files into the vault and says how far each has come, which fetch cannot. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../contract/api.ts'

export type Upload = {
  readonly name: string
  /** From 0 to 1. */
  readonly share: number
  readonly failure: string | null
}

/** `onDone` hears the id of each file that has arrived. */
export function useUploads(onDone: (mediaId: number) => void) {
  const queryClient = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])

  async function send(files: readonly File[]) {
    const first = uploads.length
    setUploads([...uploads, ...files.map(({ name }) => ({ name, share: 0, failure: null }))])
    const change = (index: number, part: Partial<Upload>) =>
      setUploads((uploads) =>
        uploads.map((upload, at) => (at === index ? { ...upload, ...part } : upload)),
      )
    for (const [index, file] of files.entries()) {
      const place = first + index
      const answer = await sendFile(file, (share) => change(place, { share }))
      change(place, 'failure' in answer ? answer : { share: 1 })
      if ('failure' in answer || answer.mediaId === null) continue
      await queryClient.invalidateQueries({ queryKey: ['vault'] })
      onDone(answer.mediaId)
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
