/** Sees what the files are that somebody brings: pictures for a session of their own, or one file. */
import type { Brought } from '../../uploads/brought-files.ts'
import { type Gathered, gatherMedia } from '../../uploads/gather-media.ts'
import { count } from './figures.ts'
import { recogniseFile, type Recognition } from './recognise.ts'

/** Null where there was no file at all. */
export async function recogniseBrought(coming: Promise<Brought>): Promise<Recognition | null> {
  const brought = await coming
  if (brought.files.length === 0) return null
  const gathered = await gatherMedia(brought)
  const [single, ...more] = [...gathered.archives, ...gathered.others]
  if (gathered.media.length > 0) return pictures(gathered)
  const [left] = gathered.leftOut
  if (!single) return { kind: 'nothing', why: left ? `“${left.name}”: ${left.why}` : nothingWords }
  if (more.length > 0)
    return {
      kind: 'nothing',
      why: `These are ${more.length + 1} files. Bring one at a time, or pictures together.`,
    }
  return await recogniseFile(single)
}

const nothingWords = 'There was no picture or film in it.'

function pictures(gathered: Gathered): Recognition {
  const { media, leftOut, archives, others, suggestedTitle } = gathered
  const films = media.filter(({ type }) => type.startsWith('video/')).length
  const stills = media.length - films
  const left = leftOut.length + archives.length + others.length
  const parts = [
    ...(stills > 0 ? [count(stills, 'picture')] : []),
    ...(films > 0 ? [count(films, 'film')] : []),
  ]
  return {
    kind: 'pictures',
    gathered,
    says: parts.join(' and '),
    notes: [
      'In the order in which they were taken.',
      ...(left > 0 ? [`${count(left, 'file')} will be left out.`] : []),
    ],
    suggestedTitle,
  }
}
