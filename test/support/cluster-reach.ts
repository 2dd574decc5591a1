/** Promises of the contract that the HTTP-only suite cannot test, with what each would need. */

const clock = 'a moved clock'
const moment = 'a moment between two steps of another request'
const store = 'a store or a database that fails'
const remoteSite = 'a far side that fails, refuses or has adult things'
const chain = 'a chain'
const failedJob = 'a job that has failed for hours'

/** By the name of the failure, for every endpoint. */
const byFailure: Readonly<Record<string, string>> = {
  interrupted: clock,
  reauthenticationRequired: clock,
  idempotencyInProgress: moment,
  userNotFound: moment,
  storageUnreachable: store,
  storageFailed: store,
  storageMisconfigured: store,
  mediaListFailed: store,
  mediaNotShared: store,
  mediaNotDeleted: store,
  mediaRecordNotDeleted: store,
  shareLinkNotMade: store,
  sharingFailed: store,
  notReady: store,
  captionProviderFailed: remoteSite,
  captionProviderTimeout: remoteSite,
  contentPolicy: remoteSite,
  modelImageUnsupported: remoteSite,
  providerUnavailable: remoteSite,
  providerUnreachable: remoteSite,
  sourceFailed: remoteSite,
  searchFailed: remoteSite,
  importSourceUnavailable: remoteSite,
  importPostNotFound: remoteSite,
}

const byLine: Readonly<Record<string, string>> = {
  'adminJobs.retry success': failedJob,
  'adminJobs.discard success': failedJob,
  'imports.importSession ageVerificationRequired': remoteSite,
  'payments.submitTransaction success': chain,
  'payments.submitTransaction alreadyExists': chain,
  'payments.telegramWebhook paymentMethodUnavailable': remoteSite,
}

/** Exported so that a test can find entries that are no longer in the contract. */
export const excusedFailures = Object.keys(byFailure)
export const excusedLines = Object.keys(byLine)

/** Returns what a promise needs, or null if the suite can test it and must. */
export function outOfReach(line: string): string | null {
  const [, failure = ''] = line.split(' ')
  return byLine[line] ?? byFailure[failure] ?? null
}
