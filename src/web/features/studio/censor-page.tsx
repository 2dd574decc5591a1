/** Covers regions of a picture. The preview is free; the result is charged. */
import { useMutation } from '@tanstack/react-query'
import { SquarePlus, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type CoverMode, maxRegions } from '../../../contract/cover-grid.ts'
import { client, explain } from '../../api.ts'
import { usePaidCall } from '../../paid-call.ts'
import { Button } from '../../ui/button.tsx'
import { Segment } from '../../ui/choice.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Slider } from '../../ui/slider.tsx'
import { Switch } from '../../ui/switch.tsx'
import { censorWords } from './censor-words.ts'
import { NothingChosen } from './nothing-chosen.tsx'
import { PaidButton } from './paid-button.tsx'
import { PictureWell } from './picture-well.tsx'
import { RegionEditor } from './region-editor.tsx'
import { minSide, newRegion, type Region, within } from './regions.ts'
import { useAfterMaking } from './results-data.ts'
import { StudioFrame, Workbench } from './studio-frame.tsx'
import { type StudioPicture, useLoadedPicture, useOpenedPicture } from './studio-picture.ts'
import { featureKeys } from './tools.ts'
import { words } from './words.ts'

const inTheMiddle = { x: 0.35, y: 0.35, width: 0.3, height: 0.3 }

export function CensorPage() {
  const opened = useOpenedPicture()
  const [picture, setPicture] = useState<StudioPicture | null>(opened)
  const [regions, setRegions] = useState<readonly Region[]>([])
  const [selectedId, setSelectedId] = useState<number | null>(null)
  const [mode, setMode] = useState<CoverMode>('pixelate')
  const [strength, setStrength] = useState(5)
  const [isKept, setIsKept] = useState(false)
  const { data: image } = useLoadedPicture(picture)
  const cover = useMemo(() => ({ mode, strength }), [mode, strength])
  const selected = regions.findIndex(({ id }) => id === selectedId)
  const region = regions[selected]
  const payFor = usePaidCall()
  const afterMaking = useAfterMaking()
  const censor = useMutation({
    mutationFn: (imageUrl: string) =>
      payFor(
        {
          body: {
            imageUrl,
            regions: regions.map(({ x, y, width, height }) => ({ x, y, width, height })),
            mode,
            strength,
            saveToVault: isKept,
          },
        },
        client.images.censor,
      ),
    onSuccess: ({ mediaId }) => afterMaking(mediaId !== undefined),
  })
  const change = (changed: Region) =>
    setRegions(regions.map((each) => (each.id === changed.id ? within(changed) : each)))
  const add = () => {
    const added = newRegion(inTheMiddle)
    setRegions([...regions, added])
    setSelectedId(added.id)
  }
  return (
    <StudioFrame tool="censor">
      <Workbench
        controls={
          <>
            <PictureWell
              label={censorWords.picture}
              picture={picture}
              isAlone
              onChoose={(chosen) => {
                setPicture(chosen)
                setRegions([])
              }}
            />
            <div className="grid justify-items-start gap-2">
              <p className="text-sm font-[560]">{censorWords.mode}</p>
              <Segment
                label={censorWords.mode}
                value={mode}
                onChoose={setMode}
                options={[
                  { value: 'pixelate', label: censorWords.modes.pixelate },
                  { value: 'blur', label: censorWords.modes.blur },
                  { value: 'bar', label: censorWords.modes.bar },
                ]}
              />
            </div>
            {mode !== 'bar' && (
              <Slider
                label={censorWords.strength}
                valueText={censorWords.strengthOf({ strength })}
                min={1}
                max={10}
                value={strength}
                onChange={setStrength}
              />
            )}
            <div className="grid gap-2">
              <Button
                icon={<SquarePlus size={18} aria-hidden="true" />}
                disabled={!image || regions.length >= maxRegions}
                onClick={add}
              >
                {censorWords.addRegion}
              </Button>
              <p className="text-xs text-ink-3">
                {regions.length >= maxRegions
                  ? censorWords.full({ count: maxRegions })
                  : censorWords.howTo}
              </p>
            </div>
            {region && (
              <RegionFields
                region={region}
                number={selected + 1}
                onChange={change}
                onRemove={() => setRegions(regions.filter(({ id }) => id !== region.id))}
              />
            )}
            <Switch
              label={words.keepInVault}
              help={words.keepHelp}
              isOn={isKept}
              onSwitch={setIsKept}
            />
            <Failure text={censor.error && explain(censor.error)} />
            <PaidButton
              featureKey={featureKeys.censor}
              isBusy={censor.isPending}
              isDisabled={!image || regions.length === 0}
              onPress={() => picture && censor.mutate(picture.url)}
            >
              {censorWords.censor}
            </PaidButton>
          </>
        }
      >
        {image ? (
          <RegionEditor
            image={image}
            regions={regions}
            selectedId={selectedId}
            cover={cover}
            onChange={setRegions}
            onSelect={setSelectedId}
          />
        ) : (
          <NothingChosen>{censorWords.chooseOne}</NothingChosen>
        )}
      </Workbench>
    </StudioFrame>
  )
}

/** The position and size of a region as numbers, for users who cannot draw. */
function RegionFields({
  region,
  number,
  onChange,
  onRemove,
}: {
  region: Region
  number: number
  onChange: (region: Region) => void
  onRemove: () => void
}) {
  const sides = ['x', 'y', 'width', 'height'] as const
  const labels = {
    x: censorWords.left,
    y: censorWords.top,
    width: censorWords.width,
    height: censorWords.height,
  }
  return (
    <fieldset className="grid gap-1 rounded-control border border-hairline p-3">
      <legend className="px-1 text-sm font-[560]">{censorWords.regionNumber({ number })}</legend>
      <div className="grid grid-cols-2 gap-x-4">
        {sides.map((side) => (
          <Slider
            key={side}
            label={labels[side]}
            valueText={censorWords.percent({ value: Math.round(region[side] * 100) })}
            min={side === 'x' || side === 'y' ? 0 : minSide}
            max={1}
            step={0.01}
            value={region[side]}
            onChange={(value) => onChange({ ...region, [side]: value })}
          />
        ))}
      </div>
      <Button
        size="small"
        look="bare"
        icon={<Trash2 size={16} aria-hidden="true" />}
        onClick={onRemove}
      >
        {censorWords.remove}
      </Button>
    </fieldset>
  )
}
