/**
 * A short show for visitors without an account: five drawings with captions, played by the real player. It
 * needs nothing from the server, so every site has it.
 */
import { useState } from 'react'
import { usePageTitle } from '../../page-title.ts'
import '../player/player.css'
import { Player } from '../player/player.tsx'
import { previewPlaylist } from '../player/playlist.ts'
import { words } from './demo/words.ts'

const scenes = [
  {
    url: new URL('./demo/first-light.svg', import.meta.url).href,
    caption: words.captions.firstLight,
  },
  {
    url: new URL('./evening-bay.svg', import.meta.url).href,
    caption: words.captions.eveningBay,
  },
  {
    url: new URL('./demo/lighthouse.svg', import.meta.url).href,
    caption: words.captions.lighthouse,
  },
  {
    url: new URL('./demo/windows.svg', import.meta.url).href,
    caption: words.captions.windows,
  },
  {
    url: new URL('./demo/lanterns.svg', import.meta.url).href,
    caption: words.captions.lanterns,
  },
]

export function DemoPage() {
  usePageTitle(words.name)
  const [playlist] = useState(demoPlaylist)
  return <Player playlist={playlist} startSlide={null} />
}

function demoPlaylist() {
  const session = {
    title: words.title,
    transition: 'fade',
    intervalMin: 5,
    intervalMax: 7,
    mediaCount: scenes.length,
  } as const
  const media = scenes.map(({ url, caption }, order) => ({
    id: order + 1,
    sessionId: null,
    mediaUrl: url,
    thumbnail: url,
    caption,
    type: 'image' as const,
    feedPostId: null,
    feedPostUrl: null,
    subfeed: null,
    alt: null,
    credit: null,
    order,
    width: null,
    height: null,
    durationMs: null,
    lengthMs: null,
    nsfw: false,
    sizes: null,
    focus: null,
    isBroken: false,
  }))
  return previewPlaylist(
    { session, media, byline: words.byline },
    { seed: 'demo', headers: {}, exit: '/', isVisitor: true },
  )
}
