/** Shares one file: by a link, and in the community with tags. */
import { Link2 } from 'lucide-react'
import { useState } from 'react'
import { codeOf, explain } from '../../api.ts'
import { TagChips } from '../../classification/tag-chips.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { CannotShow, Failure } from '../../ui/failure.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { Switch } from '../../ui/switch.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useAgeGate } from '../accounts/use-age-gate.tsx'
import { type OpenedFile, useFile, useShareFile } from './file-data.ts'
import { words } from './file-words.ts'

const maxTags = 10

export function ShareFile({ id, onClose }: { id: number; onClose: () => void }) {
  const opened = useFile(String(id))
  const name = opened.data?.file.originalName ?? words.file
  return (
    <Dialog
      title={words.shareFile({ name })}
      step={opened.data?.file.shareCode ? 'shared' : opened.status}
      onClose={onClose}
      width="wide"
    >
      {opened.data ? (
        <Opened opened={opened.data} onClose={onClose} />
      ) : opened.isError ? (
        <CannotShow error={opened.error} onRetry={() => void opened.refetch()} />
      ) : (
        <Waiting label={words.loading}>
          <Skeleton className="h-48 w-full" />
        </Waiting>
      )}
    </Dialog>
  )
}

function Opened({ opened, onClose }: { opened: OpenedFile; onClose: () => void }) {
  const { file, published } = opened
  const linkHelp = opened.nsfw ? words.linkHelpForAdults : words.linkHelp
  const share = useShareFile(file.id)
  const age = useAgeGate()
  const [tags, setTags] = useState<string[]>(published?.tags ?? [])
  const [isAdult, setIsAdult] = useState(published?.nsfw ?? true)
  const [isAgreed, setIsAgreed] = useState(false)
  const [complaint, setComplaint] = useState<string | null>(null)
  // Publishing an own picture requires a confirmation that the user has the right to it.
  const isOwnPicture = file.category === 'upload' && file.type !== 'video'

  async function publish() {
    const wrong = !isOwnPicture
      ? null
      : tags.length === 0
        ? words.tagsNeeded
        : isAgreed
          ? null
          : words.policyNeeded
    setComplaint(wrong)
    if (wrong !== null) return
    if (isAdult && !age.isVerified && !(await age.confirm())) return
    share.mutate(
      { shareToCommunity: true, tags, nsfw: isAdult, policyAgreed: isAgreed },
      {
        onSuccess: () => showToast({ text: words.published }),
        onError: (error) => {
          if (codeOf(error) === 'AGE_VERIFICATION_REQUIRED') void age.confirm()
        },
      },
    )
  }

  return (
    <>
      <section aria-label={words.link} className="grid gap-2">
        {file.shareCode === null ? (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="max-w-[36ch] text-sm text-ink-2">{linkHelp}</p>
            <Button
              icon={<Link2 size={18} aria-hidden="true" />}
              isBusy={share.isPending}
              onClick={() => share.mutate({ shareToCommunity: false })}
            >
              {words.makeLink}
            </Button>
          </div>
        ) : (
          <>
            <CopyField label={words.link} text={addressOf(file.shareCode)} />
            <p className="text-xs text-ink-3">{linkHelp}</p>
          </>
        )}
      </section>
      <section aria-labelledby="share-community" className="grid gap-3">
        <h3 id="share-community" className="text-lg font-semibold">
          {words.community}
        </h3>
        <p className="text-sm text-ink-2">{words.communityHelp}</p>
        <TagChips chosen={tags} onChange={setTags} max={maxTags} className="flex flex-wrap gap-2" />
        <div>
          <Switch
            label={words.forAdults}
            help={words.forAdultsHelp}
            isOn={isAdult}
            onSwitch={setIsAdult}
          />
          {isOwnPicture && (
            <Switch
              label={words.policy}
              help={words.policyHelp}
              isOn={isAgreed}
              onSwitch={setIsAgreed}
            />
          )}
        </div>
      </section>
      <Failure text={complaint ?? (share.error && explain(share.error))} />
      <DialogActions>
        {file.shareCode !== null && (
          <Button
            look="bare"
            isBusy={share.isPending}
            onClick={() =>
              share.mutate(null, {
                onSuccess() {
                  showToast({ text: words.linkEnded })
                  onClose()
                },
              })
            }
          >
            {published ? words.endLinkPublished : words.endLink}
          </Button>
        )}
        {published && (
          <Button
            isBusy={share.isPending}
            onClick={() =>
              share.mutate(
                { shareToCommunity: false },
                { onSuccess: () => showToast({ text: words.unpublished }) },
              )
            }
          >
            {words.unpublish}
          </Button>
        )}
        <Button look="lit" isBusy={share.isPending} onClick={() => void publish()}>
          {published ? words.publishAgain : words.publish}
        </Button>
      </DialogActions>
      {age.dialog}
    </>
  )
}

function addressOf(code: string): string {
  return new URL(`/shared/media/${code}`, window.location.origin).href
}
