/** Adds slides by their web addresses, one per line. */
import { useState } from 'react'
import { TextArea } from '../../ui/field.tsx'
import { formatList, formatNumber } from '../../words/figures.ts'
import type { AddProps } from './add-slides.tsx'
import { readAddresses, slideOfAddress } from './new-slide.ts'
import { AddFoot } from './pick-tiles.tsx'
import { words } from './words.ts'

export function FromAddresses({ onAdd, room }: AddProps) {
  const [text, setText] = useState('')
  const { addresses, wrongLines } = readAddresses(text)
  return (
    <>
      <TextArea
        label={words.addressesLabel}
        help={words.addressesHelp}
        dir="ltr"
        rows={7}
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        placeholder={'https://example.com/harbour.jpg\nhttps://example.com/tide.mp4'}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <AddFoot
        count={addresses.length}
        room={room}
        onAdd={() => onAdd(addresses.map(slideOfAddress))}
      >
        <output className="text-xs text-danger empty:hidden">
          {wrongLines.length > 0 &&
            words.linesLeftOut({
              count: wrongLines.length,
              lines: formatList(wrongLines.slice(0, 5).map(formatNumber)),
            })}
        </output>
      </AddFoot>
    </>
  )
}
