/** Sessions and whole libraries as zips: export and import (contract 4.2). */
import { z } from 'zod'
import { endpoint, json, stream } from './endpoint.ts'
import { failure, sentence } from './failure.ts'
import { problems } from './problems.ts'
import { sessionProblems, shareFailures, sharingProblems, skippedMedia } from './session-records.ts'
import { pathId, timestamp } from './values.ts'
import { vaultProblems } from './vault.ts'

/** The reasons for refusing a whole archive. */
export const archiveFaults = [
  'empty',
  'not-a-zip',
  'truncated',
  'split',
  'too-large',
  'too-many-entries',
  'entry-too-large',
  'contents-too-large',
  'ratio',
  'bad-name',
  'duplicate-name',
  'not-a-file',
  'encrypted',
  'unknown-method',
  'oversized-fields',
  'overlap',
  'stray-bytes',
  'mismatch',
  'broken',
  'wrong-hash',
  'no-manifest',
  'manifest-too-large',
  'bad-manifest',
  'unknown-format',
  'unknown-version',
  'not-one-session',
] as const

export const archiveProblems = {
  archiveRefused: failure(
    400,
    { error: 'Bad Request', code: 'INVALID_INPUT' },
    { message: z.string(), reason: z.enum(archiveFaults) },
  ),
  exportRunning: failure(
    429,
    { error: 'Too Many Requests', message: 'Other downloads of yours are still under way' },
    { retryAfter: z.int().positive() },
  ),
  importRunning: sentence(409, 'Another import is still running'),
  importNotFound: sentence(404, 'Import not found'),
}

/** The failures of uploading an archive. */
export const archiveFailures = [
  problems.badRequest,
  vaultProblems.noFile,
  archiveProblems.archiveRefused,
  problems.storageUnreachable,
] as const

const importedLibrary = z
  .object({
    status: z.enum(['running', 'done', 'failed']),
    /** The sessions and vault files processed so far. */
    done: z.int(),
    total: z.int(),
    sessions: z.int(),
    vaultFiles: z.int(),
    skipped: z.array(skippedMedia),
    /** The reason for the failure. */
    error: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'LibraryImport' })

export const archives = {
  exportSession: endpoint({
    method: 'GET',
    path: '/api/sessions/:id/export',
    summary: 'A session as a zip: manifest.json and the media.',
    who: 'user',
    params: z.object({ id: pathId }),
    badParams: sessionProblems.invalidSessionId,
    answer: stream('application/zip'),
    failures: [
      sessionProblems.sessionForbidden,
      sessionProblems.sessionNotFound,
      archiveProblems.exportRunning,
    ],
  }),
  exportShared: endpoint({
    method: 'GET',
    path: '/api/shared/:code/export',
    summary: 'Downloads a shared session as a zip, if its owner allows it.',
    who: 'user',
    openToGuests: true,
    limit: { policy: 'import', bucket: 'shared-export', key: 'ip' },
    params: z.object({ code: z.uuidv4() }),
    badParams: sharingProblems.shareNotFound,
    answer: stream('application/zip'),
    failures: [
      ...shareFailures,
      sharingProblems.downloadOff,
      problems.ageVerificationRequired,
      archiveProblems.exportRunning,
    ],
  }),
  exportLibrary: endpoint({
    method: 'GET',
    path: '/api/library/export',
    summary: 'All of the caller’s sessions and the whole vault as one zip.',
    who: 'user',
    answer: stream('application/zip'),
    failures: [archiveProblems.exportRunning],
  }),
  importLibrary: endpoint({
    method: 'POST',
    path: '/api/library/import',
    summary: 'Restore sessions and files of the vault from such a zip, in the background.',
    who: 'user',
    limit: { policy: 'import', bucket: 'library-import' },
    form: { file: 'file', fields: z.object({}) },
    invalid: vaultProblems.noFile,
    answer: json(202, z.object({ importId: z.uuid() })),
    failures: [...archiveFailures, archiveProblems.importRunning, problems.quotaExceeded],
  }),
  readLibraryImport: endpoint({
    method: 'GET',
    path: '/api/library/imports/:id',
    summary: 'Progress of an import of a library.',
    who: 'user',
    params: z.object({ id: z.uuid() }),
    badParams: archiveProblems.importNotFound,
    answer: json(200, importedLibrary),
    failures: [archiveProblems.importNotFound],
  }),
}
