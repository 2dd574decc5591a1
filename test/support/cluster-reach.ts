/** Which promises of the contract the suite through HTTP alone does not see, and why. */

const clock = 'a moved clock, or a moment that nobody can choose'
const store = 'a store or a database that fails'
const provider = 'a provider that fails or refuses'
const otherSettings = 'a start with other settings'
const commandLine = 'the command line'
const chain = 'a chain'
const failedJob = 'a job that has failed for hours'
const noScene = 'nothing but a scene that nobody has written yet'

/** By the name of the failure, on every endpoint. */
const byFailure: Readonly<Record<string, string>> = {
  interrupted: clock,
  idempotencyInProgress: clock,
  userNotFound: clock,
  reauthenticationRequired: clock,
  exportRunning: clock,
  concurrentLimitReached: clock,
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
  captionProviderFailed: provider,
  captionProviderTimeout: provider,
  contentPolicy: provider,
  modelImageUnsupported: provider,
  safetyRejected: provider,
  providerUnavailable: provider,
  providerUnreachable: provider,
  sourceFailed: provider,
  searchFailed: provider,
  importSourceUnavailable: provider,
  importPostNotFound: provider,
  captionsNotConfigured: otherSettings,
  missingCredentials: otherSettings,
  mailUnavailable: otherSettings,
  paymentMethodUnavailable: otherSettings,
  lastSuperAdmin: commandLine,
}

const byLine: Readonly<Record<string, string>> = {
  'accounts.devSignIn notFound': otherSettings,
  'accounts.finishSignIn notFound': otherSettings,
  'accounts.resetOnboarding forbidden': otherSettings,
  'accounts.startSignIn tooManyRequests': provider,
  'adminJobs.retry success': failedJob,
  'adminJobs.discard success': failedJob,
  'payments.submitTransaction success': chain,
  'payments.submitTransaction alreadyExists': chain,
  'payments.submitTransaction transactionRefused': chain,
}

/** What it needs; null where it is within reach, and has to be seen. */
export function outOfReach(line: string): string | null {
  const [, failure = ''] = line.split(' ')
  return byLine[line] ?? byFailure[failure] ?? (withoutScene.has(line) ? noScene : null)
}

/** Within reach, and not seen so far. The list may only become shorter. */
const withoutScene: ReadonlySet<string> = new Set([])
