/**
 * Sessions made from external media: an imgchest post, a list of addresses, a listing that the user supplies,
 * an archive (contract 4.2). The session exists at once. Its media is copied in the background, and the
 * session's events report the progress.
 */
import { z } from 'zod'
import { archiveFailures } from './archives.ts'
import { endpoint, json } from './endpoint.ts'
import { failure, sentence } from './failure.ts'
import { problems } from './problems.ts'
import { sessionWithMedia, skippedMedia, slide } from './session-records.ts'

const importMaxUrls = 500
/** The limit of a JSON body. A listing of a hundred posts has about half a megabyte. */
const importMaxBytes = 5 * 1_048_576

const imgchestPost = z
  .string()
  .trim()
  .max(2000)
  .refine(
    (url) => /^https?:\/\/(?:www\.)?imgchest\.com\/p\/[a-z0-9]{1,40}\/?(?:[?#].*)?$/i.test(url),
    {
      error: 'must be the address of an imgchest post, like https://imgchest.com/p/3na7kr3by8d',
    },
  )

/** The events of a session while its media is copied. */
export const importEvents = {
  importing: z.object({ done: z.int(), total: z.int() }),
  /** A slide that has its own file now. For the owner only. */
  media: slide,
  /** A slide that could not be copied and was removed from the session. For the owner only. */
  skipped: skippedMedia.extend({ mediaId: z.int() }),
  /** The copying is complete. */
  imported: z.object({ mediaCount: z.int(), skippedCount: z.int() }),
}

export const importProblems = {
  nothingToImport: failure(
    400,
    { error: 'Validation Error', code: 'NOTHING_TO_IMPORT' },
    { message: z.string(), skipped: z.array(skippedMedia) },
  ),
  importPostNotFound: sentence(404, 'Post not found'),
  importSourceUnavailable: failure(
    502,
    { error: 'Bad Gateway', code: 'IMPORT_SOURCE_UNAVAILABLE' },
    { message: z.string() },
  ),
}

export const imports = {
  importSession: endpoint({
    method: 'POST',
    path: '/api/sessions/import-joip',
    summary: 'Import a session from a post, addresses, a listing or an archive.',
    who: 'user',
    limit: { policy: 'import' },
    body: z
      .object({
        /** An imgchest post. Its own title is the default. */
        url: imgchestPost.optional(),
        urls: z.array(z.string()).min(1).max(importMaxUrls).optional(),
        /** A listing in the format of Reddit or Lemmy: the JSON itself, or its text; at most 1000 posts. */
        listing: z.unknown().optional(),
        title: z.string().trim().min(1).max(200).optional(),
      })
      .refine(
        ({ url, urls, listing }) =>
          [url, urls, listing].filter((given) => given !== undefined).length === 1,
        { error: 'must have exactly one of url, urls and listing' },
      )
      .refine(({ url, title }) => url !== undefined || title !== undefined, {
        path: ['title'],
        error: 'is required',
      }),
    bodyMaxBytes: importMaxBytes,
    /** A zip from the export. */
    form: { file: 'file', fields: z.object({}) },
    answer: json(201, sessionWithMedia),
    failures: [
      problems.ageVerificationRequired,
      problems.tooLarge,
      problems.quotaExceeded,
      importProblems.nothingToImport,
      importProblems.importPostNotFound,
      importProblems.importSourceUnavailable,
      ...archiveFailures,
    ],
  }),
}
