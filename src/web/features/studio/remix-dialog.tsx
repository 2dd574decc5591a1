/** Changes the order or layout of the two pictures of a composition. The preview is free. */
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type Layout, layoutFor, partsOf } from '../../../contract/composition-layout.ts'
import { client, explain } from '../../api.ts'
import { usePaidCall } from '../../paid-call.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Switch } from '../../ui/switch.tsx'
import { ComposePreview } from './compose-preview.tsx'
import { composeWords } from './compose-words.ts'
import { type ChosenLayout, LayoutChoice } from './layout-choice.tsx'
import { PaidButton } from './paid-button.tsx'
import { useAfterMaking } from './results-data.ts'
import { sizeOf, useLoadedPicture } from './studio-picture.ts'
import { featureKeys } from './tools.ts'

type LaidComposition = {
  readonly imageUrl: string
  readonly layout: Layout
  readonly seam: number
}

export function RemixDialog({
  composition,
  onClose,
}: {
  composition: LaidComposition
  onClose: () => void
}) {
  const { imageUrl, layout: laid, seam } = composition
  const [layout, setLayout] = useState<ChosenLayout>(laid)
  const [swap, setSwap] = useState(true)
  const { data: image } = useLoadedPicture({ url: imageUrl, name: '' })
  const pieces = useMemo(() => {
    if (!image) return null
    const [one, other] = partsOf(sizeOf(image), { layout: laid, seam })
    const [first, second] = swap ? [other, one] : [one, other]
    return { first: { image, region: first }, second: { image, region: second } }
  }, [image, laid, seam, swap])
  const auto = pieces && layoutFor([pieces.first.region, pieces.second.region])
  const made = layout === 'auto' ? auto : layout
  const isSame = made === laid && !swap
  const payFor = usePaidCall()
  const afterMaking = useAfterMaking()
  const remix = useMutation({
    mutationFn: () => payFor({ body: { imageUrl, layout, swap } }, client.images.remix),
    onSuccess: async () => {
      await afterMaking(false)
      onClose()
    },
  })
  return (
    <Dialog title={composeWords.remixTitle} onClose={onClose} width="wide">
      <p className="text-sm text-ink-2">{composeWords.remixHelp}</p>
      {pieces && made && <ComposePreview {...pieces} layout={made} />}
      <div>
        <LayoutChoice value={layout} onChoose={setLayout} />
      </div>
      <Switch label={composeWords.swapped} isOn={swap} onSwitch={setSwap} />
      <p className="text-xs text-ink-3 empty:hidden">{isSame && composeWords.alreadySo}</p>
      <Failure text={remix.error && explain(remix.error)} />
      <PaidButton
        featureKey={featureKeys.remix}
        isBusy={remix.isPending}
        isDisabled={!pieces || isSame}
        onPress={() => remix.mutate()}
      >
        {composeWords.remix}
      </PaidButton>
    </Dialog>
  )
}
