/** Slides by their addresses on the web, as many as there are lines. */
import { useState } from 'react'
import { TextArea } from '../../ui/field.tsx'
import type { AddProps } from './add-slides.tsx'
import { readAddresses, slideOfAddress } from './new-slide.ts'
import { AddFoot } from './pick-tiles.tsx'

export function FromAddresses({ onAdd, room }: AddProps) {
  const [text, setText] = useState('')
  const { addresses, wrongLines } = readAddresses(text)
  return (
    <>
      <TextArea
        label="Addresses of pictures or videos"
        help="One a line, each beginning with https://"
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
            `${wrongLines.length === 1 ? 'Line' : 'Lines'} ${wrongLines.slice(0, 5).join(', ')} will be left out: no web address.`}
        </output>
      </AddFoot>
    </>
  )
}
