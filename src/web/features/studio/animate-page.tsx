/** Makes an animation of several pictures, in order and with an effect. The preview is free. */
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import {
  type AnimationFormat,
  type Effect,
  planFrames,
} from '../../../contract/animation-timeline.ts'
import { client, explain } from '../../api.ts'
import { usePaidCall } from '../../paid-call.ts'
import { Segment } from '../../ui/choice.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Slider } from '../../ui/slider.tsx'
import { Switch } from '../../ui/switch.tsx'
import { animateWords } from './animate-words.ts'
import { AnimationPreview } from './animation-preview.tsx'
import { type FramePicture, framesOf, FrameStrip } from './frame-strip.tsx'
import { NothingChosen } from './nothing-chosen.tsx'
import { PaidButton } from './paid-button.tsx'
import { useAfterMaking } from './results-data.ts'
import { StudioFrame, Workbench } from './studio-frame.tsx'
import { useLoadedPictures, useOpenedPicture } from './studio-picture.ts'
import { featureKeys } from './tools.ts'
import { words } from './words.ts'

const sizes = ['256', '384', '512', '768', '1024'] as const

export function AnimatePage() {
  const opened = useOpenedPicture()
  const [pictures, setPictures] = useState<readonly FramePicture[]>(() =>
    opened === null ? [] : framesOf([opened]),
  )
  const [effect, setEffect] = useState<Effect>('crossfade')
  const [frameMs, setFrameMs] = useState(600)
  const [size, setSize] = useState<(typeof sizes)[number]>('512')
  const [format, setFormat] = useState<AnimationFormat>('webp')
  const [text, setText] = useState('')
  const [isKept, setIsKept] = useState(false)
  const sizePx = Number(size)
  const loaded = useLoadedPictures(pictures)
  const images = useMemo(() => loaded.filter((image) => image !== null), [loaded])
  const isReady = pictures.length >= 2 && images.length === pictures.length
  const frames = useMemo(
    () => planFrames({ pictures: pictures.length, frameMs, effect, sizePx, format }),
    [pictures.length, frameMs, effect, sizePx, format],
  )
  const payFor = usePaidCall()
  const afterMaking = useAfterMaking()
  const animate = useMutation({
    mutationFn: () =>
      payFor(
        {
          body: {
            imageUrls: pictures.map(({ url }) => url),
            frameMs,
            effect,
            size: sizePx,
            format,
            saveToVault: isKept,
            ...(text.trim() === '' ? {} : { text: text.trim() }),
          },
        },
        client.images.animate,
      ),
    onSuccess: ({ mediaId }) => afterMaking(mediaId !== undefined),
  })
  return (
    <StudioFrame tool="animate">
      <Workbench
        controls={
          <>
            <div className="grid justify-items-start gap-2">
              <p className="text-sm font-[560]">{animateWords.effect}</p>
              <Segment
                label={animateWords.effect}
                value={effect}
                onChoose={setEffect}
                options={[
                  { value: 'cut', label: animateWords.effects.cut },
                  { value: 'crossfade', label: animateWords.effects.crossfade },
                  { value: 'zoom', label: animateWords.effects.zoom },
                ]}
              />
            </div>
            <Slider
              label={animateWords.pace}
              valueText={animateWords.milliseconds({ ms: frameMs })}
              min={40}
              max={2000}
              step={20}
              value={frameMs}
              onChange={setFrameMs}
            />
            <div className="grid grid-cols-2 gap-4">
              <Select
                label={animateWords.size}
                value={size}
                onChoose={setSize}
                options={sizes.map((value) => ({
                  value,
                  label: animateWords.sizePixels({ size: value }),
                }))}
              />
              <Select
                label={animateWords.format}
                value={format}
                onChoose={setFormat}
                options={[
                  { value: 'webp', label: animateWords.formats.webp },
                  { value: 'gif', label: animateWords.formats.gif },
                ]}
              />
            </div>
            <TextArea
              label={animateWords.text}
              help={animateWords.textHelp}
              rows={2}
              maxLength={200}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Switch
              label={words.keepInVault}
              help={words.keepHelp}
              isOn={isKept}
              onSwitch={setIsKept}
            />
            <Failure text={animate.error && explain(animate.error)} />
            <PaidButton
              featureKey={featureKeys.animate}
              isBusy={animate.isPending}
              isDisabled={!isReady}
              onPress={() => animate.mutate()}
            >
              {animateWords.animate}
            </PaidButton>
          </>
        }
      >
        {isReady ? (
          <AnimationPreview
            images={images}
            frames={frames}
            sizePx={sizePx}
            isZoomed={effect === 'zoom'}
            text={text}
          />
        ) : (
          <NothingChosen>{animateWords.atLeastTwo}</NothingChosen>
        )}
        <FrameStrip pictures={pictures} onChange={setPictures} />
      </Workbench>
    </StudioFrame>
  )
}
