/** The jobs of the queue by state, and the health of the parts that they need. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { ChipChoice } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Panel } from '../../ui/panel.tsx'
import { showFailure, showToast } from '../../ui/toasts.tsx'
import { formatDayMonthTime } from '../../words/figures.ts'
import { AdminList, useAdminList } from './admin-list.tsx'
import { HealthPanel } from './health-panel.tsx'
import { SourcesPanel } from './sources-panel.tsx'
import { words } from './operation-words.ts'

type Job = Awaited<ReturnType<typeof client.adminJobs.list>>['items'][number]

const states = (['dead', 'retrying', 'running', 'waiting'] as const).map((value) => ({
  value,
  label: words.jobStates[value],
}))

export function JobsSection() {
  const [state, setState] = useState<Job['state']>('dead')
  const list = useAdminList(['jobs', state], (page) =>
    client.adminJobs.list({ query: { state, ...page } }),
  )
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[21rem_minmax(0,1fr)]">
      <div className="grid gap-4">
        <HealthPanel />
        <SourcesPanel />
      </div>
      <Panel title={words.jobs}>
        <div className="mb-4">
          <ChipChoice label={words.whichJobs} options={states} value={state} onChoose={setState} />
        </div>
        <AdminList
          list={list}
          loading={words.jobsLoading}
          empty={{ headline: words.noJobs, reason: words.noJobsReason }}
        >
          {(jobs) => (
            <ul>
              {jobs.map((job) => (
                <JobRow key={job.id} job={job} />
              ))}
            </ul>
          )}
        </AdminList>
      </Panel>
    </div>
  )
}

function JobRow({ job }: { job: Job }) {
  const { id, name, state, retries, error, createdAt, startAfter } = job
  const queryClient = useQueryClient()
  const [isAsked, setIsAsked] = useState(false)
  const refresh = () => queryClient.invalidateQueries({ queryKey: keys.admin.all })
  const retry = useMutation({
    mutationFn: () => client.adminJobs.retry({ params: { id } }),
    onSuccess: async () => {
      showToast({ text: words.willRun({ name }) })
      await refresh()
    },
    onError: showFailure,
  })
  const discard = async () => {
    await client.adminJobs.discard({ params: { id } })
    showToast({ text: words.discarded({ name }) })
    await refresh()
  }
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-hairline py-3 not-first:border-t">
      <div className="min-w-48 flex-1">
        <p className="font-[560] break-all">{name}</p>
        <p className="text-xs text-ink-3">
          {formatDayMonthTime(new Date(createdAt))}
          {retries > 0 && ` · ${words.retries({ count: retries })}`}
          {state === 'retrying' &&
            ` · ${words.startsAt({ moment: formatDayMonthTime(new Date(startAfter)) })}`}
        </p>
        {error !== null && <p className="mt-1 text-sm break-words text-danger">{error}</p>}
      </div>
      {state === 'dead' && (
        <div className="flex gap-2">
          <Button
            look="line"
            aria-label={words.runAgainOne({ name })}
            isBusy={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {words.runAgain}
          </Button>
          <Button
            look="bare"
            aria-label={words.discardOne({ name })}
            onClick={() => setIsAsked(true)}
          >
            {words.discard}
          </Button>
        </div>
      )}
      {isAsked && (
        <ConfirmDialog
          question={words.discardQuestion({ name })}
          consequence={words.discardMeans}
          keep={words.keepIt}
          action={words.discard}
          run={discard}
          onClose={() => setIsAsked(false)}
        />
      )}
    </li>
  )
}
