/** Sends files into the vault and says how far each has come, which fetch cannot. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiProblem } from '../../../client/client.ts'
import { explain } from '../../api.ts'
import { uploadingClient } from '../../uploading-client.ts'
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
      if (answer.media) onDone(answer.media)
      await queryClient.invalidateQueries({ queryKey: ['vault'] })
    }
  }
  return { uploads, send }
}

type Answer = { readonly media: VaultFile | null } | { readonly failure: string }

async function sendFile(file: File, onShare: (share: number) => void): Promise<Answer> {
  try {
    const { media } = await uploadingClient(onShare).vault.upload({
      form: { source: 'general', file },
    })
    return { media }
  } catch (error) {
    return { failure: [explain(error), suggestionOf(error)].join(' ').trim() }
  }
}

/** What could be done instead, where the server says so. */
function suggestionOf(error: unknown): string {
  const body = error instanceof ApiProblem ? error.body : null
  if (typeof body !== 'object' || body === null || !('suggestion' in body)) return ''
  return typeof body.suggestion === 'string' ? body.suggestion : ''
}
