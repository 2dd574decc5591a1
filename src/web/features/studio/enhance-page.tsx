/**
 * Doubles the size of a picture and makes it clearer. It needs consent, has a daily limit, and uses a queue.
 */
import { useMutation } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { enhancementsAtOnce } from '../../../contract/enhancement-limits.ts'
import type { Quality } from '../../../contract/enhancement.ts'
import { explain } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Segment } from '../../ui/choice.tsx'
import { CannotShow, Failure } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { FileButton } from '../../uploads/file-button.tsx'
import { formatTime } from '../../words/figures.ts'
import { EnhanceJobs } from './enhance-jobs.tsx'
import { useConsent, useEnhancers, useGiveConsent, useRecent } from './enhance-data.ts'
import { enqueueEnhancement, useEnhanceJobs } from './enhance-queue.ts'
import { enhanceWords } from './enhance-words.ts'
import { RecentEnhancements } from './recent-enhancements.tsx'
import { NothingChosen } from './nothing-chosen.tsx'
import { PaidButton } from './paid-button.tsx'
import { PictureWell } from './picture-well.tsx'
import { StudioFrame, Workbench } from './studio-frame.tsx'
import { type StudioPicture, useLoadedPicture, useOpenedPicture } from './studio-picture.ts'
import { featureKeys } from './tools.ts'
import { words } from './words.ts'

export function EnhancePage() {
  const consent = useConsent()
  return (
    <StudioFrame tool="enhance">
      {consent.isPending && (
        <Waiting label={enhanceWords.loadingConsent}>
          <Skeleton className="h-72" />
        </Waiting>
      )}
      {consent.isError && (
        <CannotShow error={consent.error} onRetry={() => void consent.refetch()} />
      )}
      {consent.data?.accepted === false && <Consent />}
      {consent.data?.accepted === true && <Enhance />}
    </StudioFrame>
  )
}

function Consent() {
  const giveConsent = useGiveConsent()
  return (
    <Panel title={enhanceWords.consentTitle}>
      <p className="mb-4 max-w-[60ch] text-ink-2">{enhanceWords.consentBody}</p>
      <Failure text={giveConsent.error && explain(giveConsent.error)} />
      <Button look="lit" isBusy={giveConsent.isPending} onClick={() => giveConsent.mutate()}>
        {enhanceWords.agree}
      </Button>
    </Panel>
  )
}

/** Sends a file that was uploaded here as it is, and fetches a file of the vault first. */
function Enhance() {
  const opened = useOpenedPicture()
  const [picture, setPicture] = useState<(StudioPicture & { file?: File }) | null>(opened)
  const [quality, setQuality] = useState<Quality>('low')
  const { data: image } = useLoadedPicture(picture)
  const { data: recent } = useRecent()
  const { data: enhancers } = useEnhancers()
  const jobs = useEnhanceJobs()
  const isSpent = recent !== undefined && recent.today.used >= recent.today.limit
  const isAway =
    enhancers !== undefined && !enhancers.provider_a.available && !enhancers.provider_b.available
  const send = useMutation({
    mutationFn: async ({ url, name, file }: StudioPicture & { file?: File }) =>
      enqueueEnhancement({ name, quality, image: file ?? (await bytesOf(url)) }),
  })
  return (
    <>
      <Workbench
        controls={
          <>
            <PictureWell
              label={enhanceWords.picture}
              picture={picture}
              isAlone
              onChoose={setPicture}
            >
              <FileButton
                label={words.pictureToUpload}
                look="bare"
                icon={<Upload size={16} aria-hidden="true" />}
                accept="image/jpeg,image/png,image/webp"
                isMultiple={false}
                onFiles={({ files: [brought] }) => {
                  if (!brought) return
                  const { file } = brought
                  setPicture({ url: URL.createObjectURL(file), name: file.name, file })
                }}
              >
                {words.upload}
              </FileButton>
            </PictureWell>
            <div className="grid justify-items-start gap-2">
              <p className="text-sm font-[560]">{enhanceWords.quality}</p>
              <Segment
                label={enhanceWords.quality}
                value={quality}
                onChoose={setQuality}
                options={[
                  { value: 'low', label: enhanceWords.qualities.low },
                  { value: 'high', label: enhanceWords.qualities.high },
                ]}
              />
              <p className="text-xs text-ink-3">
                {quality === 'low' ? enhanceWords.lowMeans : enhanceWords.highMeans}
              </p>
            </div>
            <output className="text-xs text-ink-2">
              {isAway
                ? enhanceWords.unavailable
                : isSpent
                  ? enhanceWords.noneLeft({ time: formatTime(new Date(recent.today.resetAt)) })
                  : recent &&
                    enhanceWords.usedToday({ used: recent.today.used, count: recent.today.limit })}
            </output>
            <p className="text-xs text-ink-3">
              {enhanceWords.atOnce({ count: enhancementsAtOnce })}
            </p>
            <Failure text={send.error && reasonOf(send.error)} />
            <PaidButton
              featureKey={featureKeys[quality]}
              isBusy={send.isPending}
              isDisabled={!image || isSpent || isAway}
              onPress={() => picture && send.mutate(picture)}
            >
              {enhanceWords.enhance}
            </PaidButton>
          </>
        }
      >
        {jobs.length === 0 && <NothingChosen>{enhanceWords.chooseOne}</NothingChosen>}
        <EnhanceJobs />
      </Workbench>
      <RecentEnhancements />
    </>
  )
}

class FarAway extends Error {}

async function bytesOf(url: string): Promise<Blob> {
  if (new URL(url, window.location.origin).origin !== window.location.origin) throw new FarAway()
  const response = await fetch(url)
  if (!response.ok) throw new Error('the picture is gone')
  return response.blob()
}

function reasonOf(error: unknown): string {
  return error instanceof FarAway ? enhanceWords.farAway : enhanceWords.cannotRead
}
