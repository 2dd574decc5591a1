/** Chooses the pictures that the card of a link may be made from: those of its public preview, in order. */
import { cardSize } from '../../media/link-card.ts'
import { sha256 } from '../../platform/signature.ts'
import type { SessionPreview } from '../sessions/sessions.ts'
import { pictureOf } from './show-picture.ts'

type Slide = SessionPreview['media'][number]

export type CardPicture = {
  /** The address to read: the smallest file that is large enough for a card. */
  readonly address: string
  /** The slide's own file. */
  readonly mediaUrl: string
  readonly focus: Slide['focus']
}

export type CardSource = {
  /** Changes when the pictures change. */
  readonly id: string
  /** The first one that can be read becomes the card. */
  readonly pictures: readonly CardPicture[]
}

/** Returns null if no slide has a picture for strangers. */
export function cardSourceOf(media: readonly Slide[]): CardSource | null {
  const pictures = media.flatMap(cardPictureOf)
  if (pictures.length === 0) return null
  const names = pictures.map(({ mediaUrl, focus }) => [unsigned(mediaUrl), focus])
  return { id: sha256(JSON.stringify(names)).toString('hex').slice(0, 16), pictures }
}

function cardPictureOf(slide: Slide): CardPicture[] {
  const { mediaUrl, focus } = slide
  const picture = pictureOf(slide)
  // A card is a stored copy, and pictures of connected accounts are only streamed.
  if (picture === null || mediaUrl === null || mediaUrl.includes('/media/connected/')) return []
  const { widthPx, heightPx, files, url } = picture
  // The poster of a film has no sizes.
  if (widthPx === null || heightPx === null) return [{ address: url, mediaUrl, focus }]
  const isEnough = (width: number) =>
    width >= cardSize.width && (width / widthPx) * heightPx >= cardSize.height
  const file = files.find((one) => isEnough(one.widthPx))
  return [{ address: file?.url ?? mediaUrl, mediaUrl, focus }]
}

/** Leaves out the signature, which depends on the link. */
function unsigned(address: string): string {
  return address.startsWith('/media/') ? address.replace(/\?.*/, '') : address
}
