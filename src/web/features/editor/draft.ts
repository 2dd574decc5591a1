/** Stores unsaved slides on this device and restores them after a crash or a closed tab. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { forgetDraft, keepDraft, readDraft } from '../../drafts.ts'
import { useCurrentUser } from '../accounts/current-user.ts'
import { copyOf } from './new-slide.ts'
import { type EditedSlide, type Kept, keyOf } from './slides.ts'

/** The delay after the last change. */
const restMs = 600

export type DraftContent = {
  readonly slides: readonly EditedSlide[]
  /** Title and settings, only for a session that is not created yet. */
  readonly making?: unknown
}

/**
 * Stores and restores the draft of `draftName`, which names the edited session. Returns the time of the
 * restored draft, or null.
 */
export function useDraft({
  draftName,
  isUnsaved,
  content,
  onRestore,
}: {
  draftName: string
  isUnsaved: boolean
  content: DraftContent
  onRestore: (content: DraftContent) => void
}) {
  const { data: user } = useCurrentUser()
  const name = user ? `${user.id}:${draftName}` : null
  const [restoredAtMs, setRestoredAtMs] = useState<number | null>(null)
  const isMine = useRef(false)
  const restore = useEffectEvent((owned: string) => {
    isMine.current = true
    const draft = readDraft(owned)
    const restored = draft && contentOf(draft.content)
    if (!draft || !restored) return
    setRestoredAtMs(draft.keptAtMs)
    onRestore(restored)
  })
  useEffect(() => {
    if (name === null) return
    return holdAlone(name, () => restore(name))
  }, [name])
  useEffect(() => {
    if (name === null || !isMine.current) return
    if (!isUnsaved) {
      forgetDraft(name)
      return
    }
    const timer = setTimeout(() => keepDraft(name, content), restMs)
    return () => clearTimeout(timer)
  }, [name, isUnsaved, content])
  return {
    restoredAtMs,
    /** Deletes the draft after the changes were saved or discarded. */
    forget() {
      setRestoredAtMs(null)
      if (name !== null && isMine.current) forgetDraft(name)
    },
  }
}

/**
 * Returns slides with the keys that they get when the session is opened again. New slides get keys that
 * cannot collide.
 */
export function slidesToKeep(
  slides: readonly EditedSlide[],
  kept: Kept | null,
): readonly EditedSlide[] {
  return slides.map((slide) => {
    const id = kept?.ids.get(slide.key)
    return id === undefined ? { ...slide, key: `draft-${slide.key}` } : { ...slide, key: keyOf(id) }
  })
}

export function slidesToRestore(
  slides: readonly EditedSlide[],
  kept: Kept | null,
): readonly EditedSlide[] {
  return slides.map((slide) => (kept?.ids.has(slide.key) ? slide : copyOf(slide)))
}

/** Runs `begin` only if no other tab holds this draft: two tabs would overwrite each other's draft. */
function holdAlone(name: string, begin: () => void): () => void {
  const released = Promise.withResolvers<void>()
  // Web Locks are missing on sites without TLS.
  const locks = 'locks' in navigator ? navigator.locks : null
  if (locks === null) begin()
  else
    void locks.request(`draft-${name}`, { ifAvailable: true }, async (lock) => {
      if (lock === null) return
      begin()
      await released.promise
    })
  return released.resolve
}

/** Parses a stored draft, which an older version of the page may have written. */
function contentOf(value: unknown): DraftContent | null {
  if (typeof value !== 'object' || value === null || !('slides' in value)) return null
  const { slides } = value
  if (!Array.isArray(slides) || !slides.every(isSlide)) return null
  return { slides, ...('making' in value ? { making: value.making } : {}) }
}

function isSlide(value: unknown): value is EditedSlide {
  if (typeof value !== 'object' || value === null) return false
  const texts = ['key', 'mediaUrl', 'caption', 'name', 'type']
  const hasTexts = texts.every(
    (field) => typeof Object.getOwnPropertyDescriptor(value, field)?.value === 'string',
  )
  return hasTexts && 'source' in value && typeof value.source === 'object' && value.source !== null
}
