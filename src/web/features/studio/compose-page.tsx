/** Composes two pictures into one. The browser shows the server's layout before the user pays. */
import { useMutation } from '@tanstack/react-query'
import { ArrowLeftRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { compositionSides, layoutFor } from '../../../contract/composition-layout.ts'
import { client, explain } from '../../api.ts'
import { usePaidCall } from '../../paid-call.ts'
import { IconButton } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Switch } from '../../ui/switch.tsx'
import { ComposePreview, wholePiece } from './compose-preview.tsx'
import { ComposeUpload } from './compose-upload.tsx'
import { composeWords } from './compose-words.ts'
import { type ChosenLayout, LayoutChoice } from './layout-choice.tsx'
import { NothingChosen } from './nothing-chosen.tsx'
import { PaidButton } from './paid-button.tsx'
import { PictureWell } from './picture-well.tsx'
import { useAfterMaking } from './results-data.ts'
import { StudioFrame, Workbench } from './studio-frame.tsx'
import { sizeOf, type StudioPicture, useLoadedPicture, useOpenedPicture } from './studio-picture.ts'
import { featureKeys } from './tools.ts'
import { words } from './words.ts'

export function ComposePage() {
  const opened = useOpenedPicture()
  const [first, setFirst] = useState<StudioPicture | null>(opened)
  const [second, setSecond] = useState<StudioPicture | null>(null)
  const [layout, setLayout] = useState<ChosenLayout>('auto')
  const [isKept, setIsKept] = useState(false)
  const { data: firstImage } = useLoadedPicture(first)
  const { data: secondImage } = useLoadedPicture(second)
  const pieces = useMemo(
    () =>
      firstImage && secondImage
        ? { first: wholePiece(firstImage), second: wholePiece(secondImage) }
        : null,
    [firstImage, secondImage],
  )
  const auto = pieces && layoutFor([pieces.first.region, pieces.second.region])
  const made = layout === 'auto' ? auto : layout
  const firstComplaint = complaintOf(firstImage)
  const secondComplaint = complaintOf(secondImage)
  const payFor = usePaidCall()
  const afterMaking = useAfterMaking()
  const compose = useMutation({
    mutationFn: ({ babeImageUrl, cockImageUrl }: { babeImageUrl: string; cockImageUrl: string }) =>
      payFor(
        {
          body: { babeImageUrl, cockImageUrl, layout, saveToVault: isKept },
        },
        client.images.compose,
      ),
    onSuccess: ({ mediaId }) => afterMaking(mediaId !== undefined),
  })
  const swap = () => {
    setFirst(second)
    setSecond(first)
  }
  return (
    <StudioFrame tool="compose">
      <Workbench
        controls={
          <>
            <div className="grid grid-cols-[minmax(0,1fr)_2.75rem_minmax(0,1fr)] items-center gap-1">
              <PictureWell
                label={composeWords.first}
                picture={first}
                onChoose={setFirst}
                complaint={firstComplaint}
              >
                <ComposeUpload which="first" onUploaded={setFirst} />
              </PictureWell>
              <IconButton
                label={composeWords.swap}
                icon={<ArrowLeftRight size={18} aria-hidden="true" />}
                onClick={swap}
              />
              <PictureWell
                label={composeWords.second}
                picture={second}
                onChoose={setSecond}
                complaint={secondComplaint}
              >
                <ComposeUpload which="second" onUploaded={setSecond} />
              </PictureWell>
            </div>
            <div className="grid justify-items-start gap-2">
              <p className="text-sm font-[560]">{composeWords.layout}</p>
              <LayoutChoice value={layout} onChoose={setLayout} />
              <p className="min-h-4 text-xs text-ink-3">
                {layout === 'auto' &&
                  auto &&
                  (auto === 'side-by-side' ? composeWords.autoSide : composeWords.autoStack)}
              </p>
            </div>
            <Switch
              label={words.keepInVault}
              help={words.keepHelp}
              isOn={isKept}
              onSwitch={setIsKept}
            />
            <Failure text={compose.error && explain(compose.error)} />
            <PaidButton
              featureKey={featureKeys.compose}
              isBusy={compose.isPending}
              isDisabled={!pieces || firstComplaint !== null || secondComplaint !== null}
              onPress={() =>
                first &&
                second &&
                compose.mutate({ babeImageUrl: first.url, cockImageUrl: second.url })
              }
            >
              {composeWords.compose}
            </PaidButton>
          </>
        }
      >
        {pieces && made ? (
          <ComposePreview {...pieces} layout={made} />
        ) : (
          <NothingChosen>{composeWords.chooseTwo}</NothingChosen>
        )}
      </Workbench>
    </StudioFrame>
  )
}

function complaintOf(image: HTMLImageElement | undefined): string | null {
  if (!image) return null
  const { width, height } = sizeOf(image)
  const { minPx: min, maxPx: max } = compositionSides
  const fits = Math.min(width, height) >= min && Math.max(width, height) <= max
  return fits ? null : composeWords.wrongSize({ min, max })
}
