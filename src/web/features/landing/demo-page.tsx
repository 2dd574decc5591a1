/**
 * A short show for whoever has no account: five drawn pictures with words, played by the player
 * itself. It needs nothing of the server, so that every site has it.
 */
import { useState } from 'react'
import { usePageTitle } from '../../page-title.ts'
import '../player/player.css'
import { Player } from '../player/player.tsx'
import { previewPlaylist } from '../player/playlist.ts'

const scenes = [
  {
    url: new URL('./demo/first-light.svg', import.meta.url).href,
    caption: 'The hills keep the night a little longer than the sky does.',
  },
  {
    url: new URL('./evening-bay.svg', import.meta.url).href,
    caption: 'Nobody is in a hurry on this side of the bay.',
  },
  {
    url: new URL('./demo/lighthouse.svg', import.meta.url).href,
    caption: 'One lamp, and every ship knows where the land begins.',
  },
  {
    url: new URL('./demo/windows.svg', import.meta.url).href,
    caption: 'Count the windows that are still lit. Somebody is reading behind each.',
  },
  {
    url: new URL('./demo/lanterns.svg', import.meta.url).href,
    caption: 'Let them go, one after the other, and look up.',
  },
]

export function DemoPage() {
  usePageTitle('Demo')
  const [playlist] = useState(demoPlaylist)
  return <Player playlist={playlist} startSlide={null} />
}

function demoPlaylist() {
  const session = {
    title: 'Lamps and other lights',
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
    { session, media, ownerName: 'the house' },
    { seed: 'demo', headers: {}, exit: '/', isVisitor: true },
  )
}
