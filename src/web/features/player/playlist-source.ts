/** Loads playlists: of a session, of a published session, or of the session behind a share link. */
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { shareHeaders } from '../../../client/client.ts'
import { client, fetchCurrentUser, statusOf } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { linkEndOf } from '../sharing/link-end.ts'
import { readSharePassword } from '../sharing/share-password.ts'
import { previewPlaylist, playlistOf, type Playlist } from './playlist.ts'
import { askForFirstPicture } from './stage/first-picture.ts'
import { words } from './words.ts'

/** Loads the playlist before the page renders. The query cache keeps it for a second until then. */
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
    // The playlist does not change while it plays, and the server counts every read.
    staleTime: Infinity,
    // The session may be stored on this device, so the query also runs offline.
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

/** Loads a published session. It plays without generated captions and without charges. */
async function loadPublished(id: string): Promise<Playlist> {
  const [{ session, media }, user] = await Promise.all([
    client.community.open({ params: { id } }),
    fetchCurrentUser().catch(() => undefined),
  ])
  const byline = words.byOwner({ owner: session.ownerName })
  const access = {
    seed: `community ${id}`,
    headers: {},
    exit: `/community/${id}`,
    isVisitor: user === null,
  }
  // Signing in would not show more slides, so the loaded ones are the total.
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

/** Loads the whole session if the viewer is signed in or the link needs no account; else a preview. */
async function loadShared(code: string): Promise<Playlist> {
  const headers = shareHeaders({ code, password: readSharePassword(code) })
  const request = { params: { code }, headers }
  // Offline, the session may be stored on this device for the user who was signed in.
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
  // No account would show more slides, so the loaded ones are the total.
  return previewPlaylist(
    { session: { ...session, mediaCount: media.length }, media, byline },
    access,
  )
}

export function needsSignIn(error: unknown): boolean {
  return statusOf(error) === 401 && linkEndOf(error) === null
}
