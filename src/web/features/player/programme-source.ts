/** Where a programme comes from: a session, a published one, or whatever a share link leads to. */
import { useQuery } from '@tanstack/react-query'
import { ApiProblem, shareHeaders } from '../../../client/client.ts'
import { client, fetchCurrentUser } from '../../api.ts'
import { previewProgramme, programmeOf, type Programme } from './programme.ts'
import { readSharePassword } from '../sharing/share-password.ts'

export function useSessionProgramme(id: string) {
  return useQuery({
    queryKey: ['programme', 'session', id],
    queryFn: () => loadSession(id),
    // Nothing of it changes while it plays, and every look is counted.
    staleTime: Infinity,
    gcTime: 0,
  })
}

export function useSharedProgramme(code: string) {
  return useQuery({
    queryKey: ['programme', 'shared', code],
    queryFn: () => loadShared(code),
    staleTime: Infinity,
    gcTime: 0,
  })
}

export function useCommunityProgramme(id: string) {
  return useQuery({
    queryKey: ['programme', 'community', id],
    queryFn: () => loadPublished(id),
    staleTime: Infinity,
    gcTime: 0,
  })
}

/** Played as it was published: nobody writes captions for it, and nothing is charged. */
async function loadPublished(id: string): Promise<Programme> {
  const { session, media } = await client.community.open({ params: { id } })
  const { ownerName } = session
  const access = { seed: `community ${id}`, headers: {}, exit: `/community/${id}` }
  // What it leaves out for this caller is not to be had by signing in.
  return previewProgramme(
    { session: { ...session, mediaCount: media.length }, media, ownerName },
    access,
  )
}

async function loadSession(id: string): Promise<Programme> {
  const found = await client.sessions.read({ params: { id } })
  return programmeOf(found, { seed: `session ${id}`, headers: {}, exit: `/sessions/${id}` })
}

/** Whole for whoever is signed in; the first slides for anyone. */
async function loadShared(code: string): Promise<Programme> {
  const headers = shareHeaders({ code, password: readSharePassword(code) })
  const access = { seed: `share ${code.toLowerCase()}`, headers, exit: `/shared/${code}` }
  const user = await fetchCurrentUser()
  if (!user)
    return previewProgramme(await client.sharing.preview({ params: { code }, headers }), access)
  return programmeOf(await client.sharing.open({ params: { code }, headers }), access)
}

/** Whether the page of the link should be asked for its password first. */
export function needsPassword(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || error.status !== 401) return false
  const { body } = error
  return typeof body === 'object' && body !== null && 'requiresPassword' in body
}

export function needsSignIn(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401 && !needsPassword(error)
}
