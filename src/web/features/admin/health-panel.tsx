/** The health of the parts that the site needs, and the adapters behind feeds and captions. */
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { ApiProblem } from '../../../client/client.ts'
import { client, explainReading } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { words } from './operation-words.ts'

type Ready = Awaited<ReturnType<typeof client.operations.ready>>
type Health = { readonly parts: Ready['parts']; readonly adapters: Ready['adapters'] | null }

const pollAfterMs = 30_000

export function HealthPanel() {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: keys.admin.part('health'),
    queryFn: readHealth,
    refetchInterval: pollAfterMs,
    staleTime: 0,
  })
  return (
    <Panel title={words.health}>
      {error && (
        <p role="alert" className="text-danger">
          {explainReading(error)}
        </p>
      )}
      {!data && !error && (
        <Waiting label={words.healthLoading}>
          <Skeleton className="h-40" />
        </Waiting>
      )}
      {data && <Parts health={data} />}
      <Button look="line" className="mt-4" isBusy={isFetching} onClick={() => void refetch()}>
        {words.lookAgain}
      </Button>
    </Panel>
  )
}

function Parts({ health: { parts, adapters } }: { health: Health }) {
  return (
    <dl className="grid gap-2.5">
      {(['database', 'storage', 'queue'] as const).map((part) => (
        <div key={part} className="flex justify-between gap-4">
          <dt className="text-ink-2">{words.parts[part]}</dt>
          <dd>
            {parts[part] === 'ok' ? (
              <span className="flex items-center gap-1.5 text-good">
                <CircleCheck size={16} aria-hidden="true" />
                {words.healthy}
              </span>
            ) : (
              <span className="flex items-center gap-1.5 font-[560] text-danger">
                <CircleAlert size={16} aria-hidden="true" />
                {words.failing}
              </span>
            )}
          </dd>
        </div>
      ))}
      {adapters && (
        <>
          <div className="flex justify-between gap-4 border-t border-hairline pt-2.5">
            <dt className="text-ink-2">{words.feed}</dt>
            <dd>{adapters.feed}</dd>
          </div>
          <div className="flex justify-between gap-4">
            <dt className="text-ink-2">{words.captions}</dt>
            <dd>{adapters.captions}</dd>
          </div>
        </>
      )}
    </dl>
  )
}

/** Reads the health. A node that is not ready answers 503 and names the failing part. */
async function readHealth(): Promise<Health> {
  try {
    const { parts, adapters } = await client.operations.ready()
    return { parts, adapters }
  } catch (error) {
    const parts = error instanceof ApiProblem ? partsIn(error.body) : null
    if (parts === null) throw error
    return { parts, adapters: null }
  }
}

function partsIn(body: unknown): Ready['parts'] | null {
  if (typeof body !== 'object' || body === null || !('parts' in body)) return null
  // The error body follows the contract, which declares its parts.
  return body.parts as Ready['parts']
}
