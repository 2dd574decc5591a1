/** The content that the user has brought to the import page, and the requests that import it. */
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiProblem } from '../../../client/client.ts'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { showToast } from '../../ui/toasts.tsx'
import { uploadingClient } from '../../uploading-client.ts'
import type { SkippedMedia } from '../sessions/import-events.ts'
import type { Brought } from '../../uploads/brought-files.ts'
import type { Gathered } from '../../uploads/gather-media.ts'
import { makeSession } from '../../uploads/session-makings.ts'
import { recogniseBrought } from './recognise-files.ts'
import { type Recognised, recogniseText, type Recognition } from './recognise.ts'
import { words } from './words.ts'

export function useBringing() {
  const [found, setFound] = useState<Recognition | null>(null)
  const [text, setText] = useState('')
  // A slow file must not replace content that was brought after it.
  const turn = useRef(0)
  // Content that is being sent is not replaced.
  const isSending = useIsMutating({ mutationKey: ['import'] }) > 0

  async function takeFiles(coming: Promise<Brought>) {
    if (isSending) return
    turn.current += 1
    const mine = turn.current
    const seen = await recogniseBrought(coming).catch(() => unreadable)
    if (mine !== turn.current || seen === null) return
    setText('')
    setFound(seen)
  }

  /** Recognises text, which stays in the field for corrections. */
  function takeText(text: string) {
    if (isSending) return
    turn.current += 1
    setText(text)
    setFound(text.trim() === '' ? null : recogniseText(text))
  }

  return { found, text, takeFiles, takeText, isSending, done: () => setFound(null) }
}

const unreadable: Recognition = {
  kind: 'nothing',
  why: words.unreadable,
}

/**
 * Creates a session from files; the tray shows the uploads. If the page is still open, it navigates to the
 * session.
 */
export function useMakePictures() {
  const queryClient = useQueryClient()
  const isLookedAt = useIsLookedAt()
  const [, navigate] = useLocation()
  return async (gathered: Gathered, title: string) => {
    const id = await makeSession(queryClient, gathered, title)
    if (isLookedAt.current) navigate(`/sessions/${id}`)
  }
}

type Order = {
  readonly found: Exclude<Recognised, { kind: 'pictures' }>
  readonly title: string
  readonly onShare: (share: number) => void
  readonly signal: AbortSignal
}

/** Imports a session. Then this page shows the progress of that session, also after a reload. */
export function useImport() {
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const isLookedAt = useIsLookedAt()
  return useMutation({
    mutationKey: ['import'],
    mutationFn: send,
    onSuccess: async (opened) => {
      const { id, title } = opened.session
      queryClient.setQueryData(keys.session.opened(id), opened)
      if (isLookedAt.current) navigate(`/import?session=${id}`, { replace: true })
      else
        showToast({
          text: words.imported({ title }),
          action: { label: words.open, run: () => navigate(`/import?session=${id}`) },
        })
      await queryClient.invalidateQueries({ queryKey: keys.sessions.all })
    },
  })
}

/** Tells whether the page is still open, so that a user who has left it is not redirected. */
function useIsLookedAt() {
  const isLookedAt = useRef(false)
  useEffect(() => {
    isLookedAt.current = true
    return () => {
      isLookedAt.current = false
    }
  }, [])
  return isLookedAt
}

function send({ found, title, onShare, signal }: Order) {
  const { importSession } = client.imports
  switch (found.kind) {
    case 'archive':
      return uploadingClient(onShare).imports.importSession({ form: { file: found.file }, signal })
    case 'post':
      return importSession({ body: { url: found.url, ...(title === '' ? {} : { title }) }, signal })
    case 'urls':
      return importSession({ body: { title, urls: [...found.urls] }, signal })
    case 'listing':
      return importSession({ body: { title, listing: found.listing }, signal })
  }
}

/** Returns the skipped media that the refusal of an import lists. */
export function skippedOf(error: unknown): readonly SkippedMedia[] {
  const { skipped } = detailsOf(error)
  return Array.isArray(skipped) ? skipped.filter(isSkipped) : []
}

/** Returns true when an archive was refused because it contains more than one session. */
export function isLibrary(error: unknown): boolean {
  return detailsOf(error).reason === 'not-one-session'
}

function detailsOf(error: unknown): { skipped?: unknown; reason?: unknown } {
  const body = error instanceof ApiProblem ? error.body : null
  return typeof body === 'object' && body !== null ? body : {}
}

function isSkipped(item: unknown): item is SkippedMedia {
  return typeof item === 'object' && item !== null && 'source' in item && 'reason' in item
}
