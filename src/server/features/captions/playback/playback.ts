/** Captions during playback: free, in the session's voice, and written once for all viewers. */
import type { api } from '../../../../contract/api.ts'
import type { Context } from '../../../context.ts'
import type { SignedInUser } from '../../../http/caller.ts'
import { problem } from '../../../http/problem.ts'
import type { Call } from '../../../http/route.ts'
import { sha256 } from '../../../platform/signature.ts'
import { ownersAddresses, publicName } from '../../files/files.ts'
import { listSlidesToCaption, requireReadable, stillOf } from '../../sessions/sessions.ts'
import type { SlideToCaption } from '../../sessions/sessions.ts'
import type { PictureMessages } from '../caption-pictures.ts'
import { readCaptionPicture } from '../caption-pictures.ts'
import { asProblem, refuseUnverified, refuseWithoutProvider } from '../caption-problems.ts'
import type { Material } from '../provider/caption-provider.ts'
import { composePrompt } from '../provider/prompts.ts'
import type { Voice } from '../provider/voices.ts'
import { chooseVoice } from '../provider/voices.ts'
import { findCaption } from '../queries.ts'
import { refuseKnownPicture, writeAbout } from '../write-about.ts'
import { captionOnce } from './caption-cache.ts'

type Session = Awaited<ReturnType<typeof requireReadable>>

const words: PictureMessages = {
  field: 'media_url',
  animation: () =>
    problem.mediaTypeNotSupported({ message: 'Animated pictures are not supported' }),
}

export async function generateCaption(ctx: Context, call: Call<typeof api.captions.generate>) {
  refuseWithoutProvider(ctx)
  const { user, body } = call
  const { media_url: address } = body
  const given = { title: body.post_title ?? null, subfeed: body.subfeed ?? null }
  if (!body.sessionId) {
    const voice = chooseVoice(null, given.subfeed)
    refuseUnverified(user, voice)
    return { caption: await captionForPlayback(ctx, address, voice, materialOf(ctx, given)) }
  }
  const session = await requireReadable(ctx, call, body.sessionId)
  const slides = await listSlidesToCaption(ctx, session.id)
  // A viewer who does not own the session sees other URLs for the same media, so compare with the
  // owner's.
  const shown = [address, ...ownersAddresses(ctx, address)].find((known) =>
    slides.some((one) => one.mediaUrl === known || one.thumbnail === known),
  )
  const slide = slides.find((one) => one.mediaUrl === shown || one.thumbnail === shown)
  if (slide?.nsfw) refuseNsfw(user, session)
  // Refuse animations and videos without reading them. Their still image would be accepted.
  if (slide && slide.type !== 'image' && slide.mediaUrl === shown) throw words.animation()
  // Use the session's data of the slide, which is the same for all viewers, so that they share one
  // caption.
  const about = slide ?? given
  const { voice, material } = forSession(ctx, session, about)
  refuseUnverified(user, voice)
  return { caption: await captionForPlayback(ctx, shown ?? address, voice, material) }
}

/** Returns the caption that viewers of a session get for this slide, or null when it has no picture. */
export async function captionSlide(
  ctx: Context,
  session: Session,
  slide: SlideToCaption,
): Promise<string | null> {
  const address = stillOf(slide)
  if (address === null) return null
  const { voice, material } = forSession(ctx, session, slide)
  return captionForPlayback(ctx, address, voice, material)
}

type About = { readonly title: string | null; readonly subfeed: string | null }

export function forSession(
  ctx: Context,
  session: Pick<Session, 'captionTheme' | 'aiPrompt'>,
  about: About,
): { voice: Voice; material: Material } {
  const voice = chooseVoice(session, about.subfeed)
  const wish = voice.name === 'wished' ? session.aiPrompt : null
  return { voice, material: { ...materialOf(ctx, about), wish } }
}

/** Returns the material for the provider, which must not see the names of private feeds. */
function materialOf(ctx: Context, { title, subfeed }: About): Material {
  return { title, subfeed: subfeed && publicName(ctx, subfeed) }
}

async function captionForPlayback(
  ctx: Context,
  address: string,
  voice: Voice,
  material: Material,
): Promise<string> {
  const order = { purpose: 'playback', voice, material } as const
  const { system, user } = composePrompt({ ...order, picture: null })
  const { name, model } = ctx.captions
  const asked = sha256(JSON.stringify([name, model, system, user])).toString('hex')
  const pictureKey = sha256(address).toString('hex')
  const keyOf = (pictureHash: Buffer) => sha256(`${asked} ${pictureHash.toString('hex')}`)
  try {
    return await ctx.captions.once(`${asked} ${pictureKey}`, async () => {
      const known = ctx.captions.pictures.get(pictureKey)
      const cached = known && (await findKnown(ctx, known, keyOf(known)))
      if (cached) return cached
      const picture = await readCaptionPicture(ctx, address, words)
      ctx.captions.pictures.set(pictureKey, picture.hash)
      await refuseKnownPicture(ctx, picture.hash)
      return captionOnce(ctx, keyOf(picture.hash), () => writeAbout(ctx, picture, order))
    })
  } catch (error) {
    throw asProblem(ctx, error, { namesModel: true })
  }
}

/** Returns a cached caption without fetching the picture again. */
async function findKnown(ctx: Context, hash: Buffer, key: Buffer): Promise<string | null> {
  await refuseKnownPicture(ctx, hash)
  return findCaption(ctx, key)
}

function refuseNsfw(user: SignedInUser, session: Session): void {
  if (user.ageVerified || session.userId === user.id) return
  throw problem.ageVerificationRequired({ message: 'This slide is for age-verified accounts' })
}
