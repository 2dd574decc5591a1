/** Small schemas that many resources share: ids, names, times. */
import { z } from 'zod'

/** The maximum of an integer column: 31 bits. */
const integerMax = 2_147_483_647

/** A query `?trash=true` that moves deleted items to the trash. */
export const trashQuery = z.object({ trash: z.enum(['true', 'false']).default('false') })

/** A whole number in a path or a query: no sign, no leading zero, within 31 bits. */
export const pathId = z
  .string()
  .regex(/^[1-9][0-9]{0,9}$/)
  .transform(Number)
  .refine((id) => id <= integerMax)

/** The same in a body. */
export const rowId = z.int().positive().max(integerMax)

/** A position in a list that the caller keeps. */
export const listIndex = z.int().min(0).max(integerMax)

/** A comma-separated string of 1 to 20 names, trimmed, each once. The site knows which names exist. */
export const subfeedList = z
  .string()
  .max(50_000)
  .transform((text) => [
    ...new Set(
      text
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
    ),
  ])
  .refine((names) => names.length > 0, { error: 'is required' })
  .refine((names) => names.length <= 20, { error: 'must have at most 20 names' })

/** A list in a query, 'a,b'. */
export const commaList = z
  .string()
  .max(2000)
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )

/** The page size of a list. */
export const pageLimit = (max: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .transform(Number)
    .refine((limit) => limit <= max, { error: `must be at most ${max}` })

export const timestamp = z.iso.datetime()

export const spokenMessage = z.object({ message: z.string() })

/** An e-mail address, always compared trimmed and in lower case. */
export const emailAddress = z.string().trim().toLowerCase().max(254).pipe(z.email())

export const newPassword = z.string().min(10).max(200)

/** The current password, omitted by an account without one. A too long password is just wrong. */
export const currentPassword = z.string().optional()

/** A picture on another site or on this one. */
export const pictureUrl = z
  .string()
  .max(2048)
  .refine((url) => isWebUrl(url) || isOwnMediaUrl(url), {
    error: 'must be an http(s) URL or the URL of own media',
  })

function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return (url.protocol === 'http:' || url.protocol === 'https:') && url.username === ''
}

function isOwnMediaUrl(text: string): boolean {
  return /^\/media\/[\w./-]+(\?[\w=&.-]*)?$/.test(text) && !text.includes('..')
}

/** Fields of a change, at least one of them: an empty change is a mistake of the client. */
export const someOf = <Shape extends z.ZodRawShape>(fields: z.ZodObject<Shape>) =>
  fields.partial().refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'must change something',
  })
