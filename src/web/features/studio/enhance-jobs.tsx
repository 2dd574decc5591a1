/** The queue of enhancements: waiting, running and finished. */
import { useEffect, useEffectEvent, useState } from 'react'
import { RotateCw, X } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { BeforeAfter } from './before-after.tsx'
import { useAfterEnhancing, useDownloadEnhanced, useSaveEnhanced } from './enhance-data.ts'
import {
  dismissEnhancement,
  type Enhanced,
  type EnhanceJob,
  retryEnhancement,
  useEnhanceJobs,
  whenEnhanced,
} from './enhance-queue.ts'
import { enhanceWords } from './enhance-words.ts'
import { words } from './words.ts'

export function EnhanceJobs() {
  const jobs = useEnhanceJobs()
  const [said, setSaid] = useState('')
  const afterEnhancing = useAfterEnhancing()
  const ended = useEffectEvent((job: EnhanceJob) => {
    setSaid(wordsOf(job))
    void afterEnhancing()
  })
  useEffect(() => whenEnhanced((job) => ended(job)), [])
  const [latest] = jobs.filter(({ result }) => result !== null).slice(-1)
  return (
    <>
      <output className="text-sm text-ink-2 empty:hidden">{said}</output>
      {latest?.result && <Comparison job={latest} result={latest.result} />}
      {jobs.length > 0 && (
        <Panel title={enhanceWords.queue}>
          <ul className="grid gap-2">
            {jobs.map((job) => (
              <li key={job.id} className="flex flex-wrap items-center gap-3">
                <img
                  src={job.beforeUrl}
                  alt=""
                  className="size-12 rounded-aperture bg-well object-cover"
                />
                <div className="min-w-0 grow">
                  <p className="truncate text-sm">
                    <bdi>{job.name}</bdi>
                  </p>
                  <p className={`text-xs ${job.state === 'failed' ? 'text-danger' : 'text-ink-3'}`}>
                    {job.state === 'failed'
                      ? enhanceWords.failed({ reason: job.failure ?? '' })
                      : enhanceWords.states[job.state]}
                  </p>
                </div>
                {job.state === 'failed' && (
                  <Button
                    size="small"
                    icon={<RotateCw size={16} aria-hidden="true" />}
                    onClick={() => retryEnhancement(job.id)}
                  >
                    {enhanceWords.tryAgain}
                  </Button>
                )}
                {job.state !== 'working' && (
                  <IconButton
                    label={enhanceWords.dismiss({ name: job.name })}
                    icon={<X size={16} aria-hidden="true" />}
                    onClick={() => dismissEnhancement(job.id)}
                  />
                )}
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}

function Comparison({ job, result }: { job: EnhanceJob; result: Enhanced }) {
  const save = useSaveEnhanced()
  const download = useDownloadEnhanced()
  const { generationId: id, resultUrl } = result
  return (
    <Panel title={enhanceWords.beforeAfter}>
      <BeforeAfter beforeUrl={job.beforeUrl} afterUrl={resultUrl} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button isBusy={save.isPending} disabled={save.isSuccess} onClick={() => save.mutate(id)}>
          {save.isSuccess ? words.inVault : words.keep}
        </Button>
        <Button
          look="bare"
          isBusy={download.isPending}
          onClick={() => download.mutate({ id, resultUrl })}
        >
          {words.download}
        </Button>
      </div>
    </Panel>
  )
}

/** Returns the announcement for screen readers, which includes a refund. */
function wordsOf({ name, state, quality, result }: EnhanceJob): string {
  if (state === 'failed') return enhanceWords.isRefunded({ name })
  const isCheaper = quality === 'high' && result?.provider === 'provider_a'
  return isCheaper ? enhanceWords.isReadyCheaper({ name }) : enhanceWords.isReady({ name })
}
