/** The sources of feeds: the list, their last results, and the hosts that are paused. */
import { useQuery } from '@tanstack/react-query'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { CannotShow } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { formatMoment } from '../../words/figures.ts'
import { words } from './operation-words.ts'

type Read = Awaited<ReturnType<typeof client.adminSources.read>>

const pollAfterMs = 30_000

export function SourcesPanel() {
  const { data, error, refetch } = useQuery({
    queryKey: keys.admin.part('sources'),
    queryFn: () => client.adminSources.read(),
    refetchInterval: pollAfterMs,
    staleTime: 0,
  })
  return (
    <Panel title={words.sources}>
      {error && <CannotShow error={error} onRetry={() => void refetch()} />}
      {!data && !error && (
        <Waiting label={words.sourcesLoading}>
          <Skeleton className="h-40" />
        </Waiting>
      )}
      {data && (
        <>
          <ul className="grid gap-2.5">
            {data.sources.map((source) => (
              <SourceRow key={source.id} source={source} />
            ))}
          </ul>
          {data.hosts.length > 0 && <Hosts hosts={data.hosts} />}
        </>
      )}
    </Panel>
  )
}

function SourceRow({ source }: { source: Read['sources'][number] }) {
  const { id, lastSuccessAt, lastFailureAt, lastFailure } = source
  const gave = lastSuccessAt === null ? words.gaveNothingYet : words.gaveAt(at(lastSuccessAt))
  const isFailing =
    lastFailureAt !== null && (lastSuccessAt === null || lastFailureAt > lastSuccessAt)
  return (
    <li className="border-t border-hairline pt-2.5 first:border-0 first:pt-0">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-[560]">{id}</span>
        <span className="text-sm text-ink-2">{gave}</span>
      </p>
      {lastFailureAt !== null && (
        <p className={`mt-0.5 text-sm ${isFailing ? 'text-danger' : 'text-ink-2'}`}>
          {words.failedAt({ ...at(lastFailureAt), reason: lastFailure ?? '' })}
        </p>
      )}
    </li>
  )
}

function Hosts({ hosts }: { hosts: Read['hosts'] }) {
  return (
    <>
      <h3 className="mt-4 mb-2 text-sm font-[560]">{words.hosts}</h3>
      <ul className="grid gap-1.5 text-sm">
        {hosts.map(({ host, asked, most, restsUntil }) => (
          <li key={host} className="flex flex-wrap justify-between gap-x-4">
            <bdi className="break-all">{host}</bdi>
            <span className="text-ink-2">
              {restsUntil === null
                ? words.askedOf({ asked, max: most })
                : words.restsUntil(at(restsUntil))}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function at(time: string) {
  return { time: formatMoment(new Date(time)) }
}
