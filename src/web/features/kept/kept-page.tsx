/** The sessions that are stored on this device. This page opens without a network. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Play, Trash2 } from 'lucide-react'
import { useSearchParams } from 'wouter'
import { safeRedirect } from '../../../contract/redirect.ts'
import { fetchCurrentUser } from '../../api.ts'
import { useHasNetwork } from '../../network.ts'
import { usePageTitle } from '../../page-title.ts'
import { keys } from '../../query-keys.ts'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { formatSize } from '../../words/figures.ts'
import { forgetSession, listKept } from './kept-sessions.ts'
import { words } from './words.ts'

export function KeptPage() {
  usePageTitle(words.keptHere)
  const from = useOrigin()
  const isOnline = useHasNetwork()
  const queryClient = useQueryClient()
  const { data: kept } = useQuery({
    queryKey: keys.kept.own,
    // Without a network the user is unknown. A sign-in of another user has deleted the sessions of the one
    // before.
    queryFn: async () => await listKept(await fetchCurrentUser().catch(() => undefined)),
    staleTime: 0,
    networkMode: 'always',
  })
  async function forget(cacheName: string) {
    await forgetSession(cacheName)
    await queryClient.invalidateQueries({ queryKey: keys.kept.all })
  }
  return (
    <main id="main" className="mx-auto grid w-full max-w-[40rem] gap-5 px-5 py-10">
      <h1 className="text-2xl font-semibold">{words.keptHere}</h1>
      {from !== null && (
        <div className="grid gap-3 rounded-mount bg-mount p-5 shadow-mount">
          <p>{isOnline ? words.noServer : words.noNetwork}</p>
          <div>
            {/* A plain link, so that it is a request to the network. */}
            <a href={from} className="button button-line button-normal">
              {words.tryAgain}
            </a>
          </div>
        </div>
      )}
      {kept && (
        <p className="text-ink-2">{kept.length === 0 ? words.nothingKept : words.playsOffline}</p>
      )}
      {kept !== undefined && kept.length > 0 && (
        <ul className="grid divide-y divide-hairline">
          {kept.map(({ cacheName, playPath, title, slides, bytes }) => (
            <li key={cacheName} className="flex items-center justify-between gap-4 py-3">
              <div className="min-w-0">
                <p className="font-[560] break-words">
                  <bdi>{title}</bdi>
                </p>
                <p className="text-xs text-ink-3">
                  {words.slidesAndSize({ count: slides, size: formatSize(bytes) })}
                </p>
              </div>
              <div className="flex shrink-0 items-center gap-1">
                <ButtonLink href={playPath} icon={<Play size={18} aria-hidden="true" />}>
                  <span aria-hidden="true">{words.play}</span>
                  <span className="sr-only">{words.playTitle({ title })}</span>
                </ButtonLink>
                <IconButton
                  label={words.removeTitle({ title })}
                  icon={<Trash2 size={18} aria-hidden="true" />}
                  onClick={() => void forget(cacheName)}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      {from === null && (
        <div>
          <ButtonLink href="/library" look="line">
            {words.toSessions}
          </ButtonLink>
        </div>
      )}
    </main>
  )
}

/** Returns the address of the page that failed to load and that this page replaces, or null. */
function useOrigin(): string | null {
  const from = useSearchParams()[0].get('from')
  const origin = safeRedirect(from ?? undefined)
  return origin === '/' && from !== '/' ? null : origin
}
