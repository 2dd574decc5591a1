/**
 * The pages of the player: a session by its id for everyone who may read it, a published session for
 * members and guests of the community, and a share link for anyone. While there is nothing to play, a dark
 * page shows the reason.
 */
import { Suspense } from 'react'
import { Redirect, useParams, useSearch } from 'wouter'
import { explain } from '../../api.ts'
import { usePageTitle } from '../../page-title.ts'
import { lazyPart } from '../../parts.ts'
import { useSignInAddress } from '../../sign-in-address.ts'
import { linkEndOf } from '../sharing/link-end.ts'
import './player.css'
import './embedded.css'
import { Player } from './player.tsx'
import {
  needsSignIn,
  useCommunityPlaylist,
  useSessionPlaylist,
  useSharedPlaylist,
} from './playlist-source.ts'
import type { Playlist } from './playlist.ts'
import { Closed, Waiting } from './room.tsx'
import { words } from './words.ts'

const EndedLink = lazyPart(async () => (await import('./deferred/ended-link.tsx')).EndedLink)
const FillingRoom = lazyPart(async () => (await import('./deferred/filling-room.tsx')).FillingRoom)

export { askForSession } from './playlist-source.ts'

export function PlaySessionPage() {
  const { id = '' } = useParams()
  return <Projection key={id} found={useSessionPlaylist(id)} exit="/library" />
}

export function PlaySharedPage() {
  const { code = '' } = useParams()
  const exit = `/shared/${code}`
  const found = useSharedPlaylist(code)
  if (linkEndOf(found.error) === 'password') return <Redirect to={exit} replace />
  return <Projection key={code} found={found} exit={exit} isLink />
}

export function PlayCommunityPage() {
  const { id = '' } = useParams()
  return <Projection key={id} found={useCommunityPlaylist(id)} exit={`/community/${id}`} />
}

/** The player embedded on another site. It starts only when the viewer presses play. */
export function PlayEmbeddedPage() {
  const code = location.pathname.slice('/embed/'.length)
  return <Projection found={useSharedPlaylist(code)} exit={`/shared/${code}`} isLink />
}

type Found = Pick<ReturnType<typeof useSessionPlaylist>, 'data' | 'error' | 'refetch'>

function Projection({
  found,
  exit,
  isLink = false,
}: {
  found: Found
  exit: string
  isLink?: boolean
}) {
  const signInAddress = useSignInAddress()
  const startSlide = useStartSlide()
  const { data: playlist, error, refetch } = found
  usePageTitle(playlist?.title ?? words.player)
  if (needsSignIn(error)) {
    return <Redirect to={signInAddress} replace />
  }
  const end = isLink ? linkEndOf(error) : null
  if (end !== null && end !== 'password') {
    return (
      <Suspense fallback={<Waiting />}>
        <EndedLink end={end} exit={exit} />
      </Suspense>
    )
  }
  if (error) {
    return (
      <Closed title={words.cannotBeShown} exit={exit}>
        {explain(error)}
      </Closed>
    )
  }
  if (!playlist) return <Waiting />
  if (playlist.slides.length > 0) return <Player playlist={playlist} startSlide={startSlide} />
  return <Empty playlist={playlist} onFilled={() => void refetch()} />
}

/** Returns the slide number of `?slide=3`, or null if the value is not a slide number. */
function useStartSlide(): number | null {
  const wish = new URLSearchParams(useSearch()).get('slide') ?? ''
  return /^[1-9]\d{0,5}$/.test(wish) ? Number(wish) : null
}

function Empty({ playlist, onFilled }: { playlist: Playlist; onFilled: () => void }) {
  const { session, exit, title } = playlist
  if (session?.fillStatus === 'pending' || session?.fillStatus === 'filling') {
    return (
      <Suspense fallback={<Waiting />}>
        <FillingRoom session={session} headers={playlist.headers} exit={exit} onFilled={onFilled} />
      </Suspense>
    )
  }
  if (session?.fillStatus === 'failed') {
    return (
      <Closed title={words.notFilled({ title })} exit={exit}>
        {session.fillError ?? words.notFilledReason}
      </Closed>
    )
  }
  return (
    <Closed title={words.empty({ title })} exit={exit}>
      {playlist.slidesInAll > 0 ? words.emptyUntilSignIn : words.emptyUntilAdded}
    </Closed>
  )
}
