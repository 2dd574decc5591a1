/**
 * Captions of a fresh checkout, written offline. The narrator knows the title, the voice and how the picture
 * looks, but not what it shows. The same picture with the same words always gets the same caption.
 */
import type {
  CaptionOrder,
  CaptionProvider,
  Material,
} from '../../src/server/features/captions/provider/caption-provider.ts'
import { nearest } from '../../src/server/features/captions/provider/prompts.ts'
import { sha256 } from '../../src/server/platform/signature.ts'
import type { Remarks } from './lines.ts'
import { beginnings, endings, invitationsOf, remarksOn } from './lines.ts'
import { lookAt } from './look.ts'

export function createNarrator(): CaptionProvider {
  return {
    name: 'demo',
    model: null,
    async ask(order) {
      const choose = chooserOf(order)
      if (!order.picture) return rewritten(order, choose)
      const remarks = remarksOn(await lookAt(order.picture))
      return order.purpose === 'playback'
        ? shortLine(order, remarks, choose)
        : longerLine(order, remarks, choose)
    },
  }
}

/** Shuffles a list. The order depends only on the picture and its words. */
type Choose = <T>(list: readonly T[], what: string) => T[]

function chooserOf({ picture, material, voice, purpose }: CaptionOrder): Choose {
  const facts = JSON.stringify([material, voice.name, purpose])
  const seed = sha256(`${facts} ${picture ? sha256(picture).toString('hex') : ''}`).toString('hex')
  return (list, what) =>
    list
      .map((item, index) => ({ item, rank: sha256(`${seed} ${what} ${index}`).toString('hex') }))
      .sort((a, b) => (a.rank < b.rank ? -1 : 1))
      .map(({ item }) => item)
}

const shortest = 50
const longest = 150

function shortLine(order: CaptionOrder, remarks: Remarks, choose: Choose): string {
  const [look = '', otherLook = ''] = chooseRemarks(remarks, choose)
  const [invitation = ''] = choose(invitationsOf(order.voice), 'invitation')
  const [title = ''] = choose(titlesOf(order), 'title')
  // Most lines begin with the title, because only the title says what the picture shows.
  const forms = [
    [title, look, invitation],
    [title, look, invitation],
    [title, look],
    [title, look],
    [title, invitation, look],
    [look, invitation],
    [invitation, look],
    [look, otherLook],
    [otherLook, look, invitation],
  ]
  const lines = choose(forms, 'form').map(joined)
  return lines.find(isRightLength) ?? joined([look, otherLook, invitation])
}

/** Returns one remark for each topic. Remarks on colour and light tend to be first. */
function chooseRemarks(
  remarks: Remarks,
  choose: Choose,
  isFresh: (line: string) => boolean = () => true,
): string[] {
  const kinds = choose(
    ['colour', 'colour', 'colour', 'light', 'light', 'air', 'form'] as const,
    'of',
  )
  return [...new Set(kinds)].flatMap((kind) => choose(remarks[kind], kind).find(isFresh) ?? [])
}

function isRightLength({ length }: string): boolean {
  return length >= shortest && length <= longest
}

/**
 * Writes a caption for the editor. Leaves out remarks and invitations that the nearby captions use already.
 */
function longerLine(order: CaptionOrder, remarks: Remarks, choose: Choose): string {
  const { previous, next } = nearest(order.material)
  const used = [...previous, ...next].join(' ')
  const isFresh = (line: string) => !used.includes(line)
  const [look = '', otherLook = ''] = chooseRemarks(remarks, choose, isFresh)
  const [edge] = choose(edgesOf(order.material), 'edge')
  if (edge !== undefined) return joined([edge, look, otherLook])
  const invitations = new Set(choose(invitationsOf(order.voice), 'invitation').filter(isFresh))
  const [invitation = '', another = ''] = invitations
  return joined([invitation, look, otherLook, another])
}

function edgesOf({ position }: Material): readonly string[] {
  if (!position || position.total < 2) return []
  if (position.index <= 0) return beginnings
  return position.index >= position.total - 1 ? endings : []
}

/** Returns the title in forms that can begin a line. Returns none if the title would read badly there. */
function titlesOf({ material, voice }: CaptionOrder): string[] {
  const title = (material.title ?? '').trim().replace(/(?<![.…\s])[.…\s]+$/, '')
  const isPlain = /^[\p{L}\p{N} ,;:’'!?&–—-]{2,60}$/u.test(title) && /\p{Ll}/u.test(title)
  if (!isPlain || voice.isAdult) return []
  const sentence = /[!?]$/.test(title) ? title : `${title}.`
  const plainly = Array.from({ length: 5 }, () => sentence)
  return [...plainly, `They call it “${title}”.`, `“${title}”, says the label.`]
}

const shorter = /\b(?:short|shorter|brief|briefer|concise|cut)\b/i

/** Rewrites a caption without a picture: keeps the words, and puts another invitation before them. */
function rewritten({ voice, material }: CaptionOrder, choose: Choose): string {
  const caption = (material.caption ?? '').trim()
  const sentences = caption.match(/[^.!?…]+[.!?…]*/g)?.map((text) => text.trim()) ?? [caption]
  if (shorter.test(material.instruction ?? '') && sentences.length > 1) return sentences[0] ?? ''
  const fresh = choose(invitationsOf(voice), 'rewrite').find((line) => !caption.includes(line))
  const ended = /[.!?…]$/.test(caption) ? caption : `${caption}.`
  return joined([fresh ?? '', ended])
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}
