/** Recognises the files that the user brings: pictures for one session, or a single importable file. */
import type { Brought } from '../../uploads/brought-files.ts'
import { type Gathered, gatherMedia } from '../../uploads/gather-media.ts'
import { words as uploadWords } from '../../uploads/words.ts'
import { recogniseFile, type Recognition } from './recognise.ts'
import { words } from './words.ts'

/** Returns null if there was no file. */
export async function recogniseBrought(coming: Promise<Brought>): Promise<Recognition | null> {
  const brought = await coming
  if (brought.files.length === 0) return null
  const gathered = await gatherMedia(brought)
  const [single, ...more] = [...gathered.archives, ...gathered.others]
  if (gathered.media.length > 0) return pictures(gathered)
  const [left] = gathered.leftOut
  if (!single)
    return {
      kind: 'nothing',
      why: left
        ? words.fileLeftOut({ name: left.name, reason: left.why })
        : uploadWords.nothingInIt,
    }
  if (more.length > 0)
    return { kind: 'nothing', why: words.severalFiles({ count: more.length + 1 }) }
  return await recogniseFile(single)
}

function pictures(gathered: Gathered): Recognition {
  const { media, leftOut, archives, others, suggestedTitle } = gathered
  const films = media.filter(({ type }) => type.startsWith('video/')).length
  const stills = media.length - films
  const left = leftOut.length + archives.length + others.length
  return {
    kind: 'pictures',
    gathered,
    says: countMedia(stills, films),
    notes: [words.inOrderTaken, ...(left > 0 ? [words.filesLeftOut({ count: left })] : [])],
    suggestedTitle,
  }
}

/** Returns a text such as '3 pictures and 1 film'. */
function countMedia(stills: number, films: number): string {
  const pictures = words.pictures({ count: stills })
  if (films === 0) return pictures
  const moving = words.films({ count: films })
  return stills === 0 ? moving : words.picturesAndFilms({ pictures, films: moving })
}
