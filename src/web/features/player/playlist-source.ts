/** Where a playlist comes from: a session, a published one, or whatever a share link leads to. */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { shareHeaders } from '../../../client/client.ts'
import { client, fetchCurrentUser, statusOf } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { linkEndOf } from '../sharing/link-end.ts'
import { readSharePassword } from '../sharing/share-password.ts'
import { previewPlaylist, playlistOf, type Playlist } from './playlist.ts'
import { askForFirstPicture } from './stage/first-picture.ts'
import { words } from './words.ts'

/** Before the page is drawn; what it brings is kept until then. */
export async function askForSession(queryClient: QueryClient, id: string): Promise<void> {
  const playlist = await queryClient.fetchQuery({ ...sessionQuery(id), gcTime: 1000 })
  askForFirstPicture(playlist)
}

export function useSessionPlaylist(id: string) {
  return useQuery({ ...sessionQuery(id), gcTime: 0 })
}

function sessionQuery(id: string) {
  return {
    queryKey: keys.playlist('session', id),
    queryFn: () => loadSession(id),
    // Nothing of it changes while it plays, and every look is counted.
    staleTime: Infinity,
    // It may be kept on this device.
    networkMode: 'always' as const,
  }
}

export function useSharedPlaylist(code: string) {
  return useQuery({
    queryKey: keys.playlist('shared', code),
    queryFn: () => loadShared(code),
    staleTime: Infinity,
    gcTime: 0,
    networkMode: 'always',
  })
}

export function useCommunityPlaylist(id: string) {
  return useQuery({
    queryKey: keys.playlist('community', id),
    queryFn: () => loadPublished(id),
    staleTime: Infinity,
    gcTime: 0,
  })
}

/** Played as it was published: nobody writes captions for it, and nothing is charged. */
async function loadPublished(id: string): Promise<Playlist> {
  const { session, media } = await client.community.open({ params: { id } })
  const byline = words.byOwner({ owner: session.ownerName })
  const access = {
    seed: `community ${id}`,
    headers: {},
    exit: `/community/${id}`,
    isVisitor: false,
  }
  // What it leaves out for this caller is not to be had by signing in.
  return previewPlaylist(
    { session: { ...session, mediaCount: media.length }, media, byline },
    access,
  )
}

async function loadSession(id: string): Promise<Playlist> {
  const found = await client.sessions.read({ params: { id } })
  const access = { seed: `session ${id}`, headers: {}, exit: `/sessions/${id}`, isVisitor: false }
  return playlistOf(found, access)
}

/** Whole for those who are signed in and where a link needs no account; else the first slides. */
async function loadShared(code: string): Promise<Playlist> {
  const headers = shareHeaders({ code, password: readSharePassword(code) })
  const request = { params: { code }, headers }
  // Without a network it may be kept on this device, for who was signed in here.
  const user = await fetchCurrentUser().catch(() => undefined)
  const access = {
    seed: `share ${code.toLowerCase()}`,
    headers,
    exit: `/shared/${code}`,
    isVisitor: user === null,
  }
  if (user !== null) return playlistOf(await client.sharing.open(request), access)
  const preview = await client.sharing.preview(request)
  const byline = words.byOwner({ owner: preview.ownerName })
  if (preview.requiresAuth) return previewPlaylist({ ...preview, byline }, access)
  const { session, media } = await client.sharing.open(request)
  // What it leaves out is not to be had by signing in with any account.
  return previewPlaylist(
    { session: { ...session, mediaCount: media.length }, media, byline },
    access,
  )
}

export function needsSignIn(error: unknown): boolean {
  return statusOf(error) === 401 && linkEndOf(error) === null
}
