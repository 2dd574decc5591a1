/**
 * Classifies failures of a provider. OpenAI-compatible servers use different codes and types, so error
 * messages are parsed too.
 */
import { APIError } from 'openai'
import { retryAfterMs } from '../../../platform/fetch/retry-after.ts'
import type { CaptionFault, CaptionOrder } from './caption-provider.ts'
import { CaptionFailed } from './caption-provider.ts'
import { refusalFault } from './refusals.ts'

export function failureOfError(error: unknown, order: CaptionOrder): CaptionFailed {
  if (error instanceof CaptionFailed) return error
  // The client library wraps errors of its fetch.
  if (error instanceof Error && error.cause instanceof CaptionFailed) return error.cause
  if (!(error instanceof APIError) || error.status === undefined)
    return new CaptionFailed('failed', 'The provider’s answer is not valid', { cause: error })
  const { status } = error as { status: number }
  const fault = faultOfMessage(wordsOf(error), { withPicture: order.picture !== null })
  return new CaptionFailed(
    isBelieved(fault, status) ? fault : 'failed',
    `The provider answered ${status}`,
    {
      cause: error,
    },
  )
}

/** Classifies an error by its message. */
export function faultOfMessage(
  words: string,
  { withPicture }: { readonly withPicture: boolean },
): CaptionFault {
  if (withPicture && imageUnsupported.test(words)) return 'image_unsupported'
  return contentPolicy.test(words) ? refusalFault(words) : 'failed'
}

/** Returns the parameter that the model does not support, if the error names one that we sent. */
export function refusedParameter(
  error: APIError,
  sent: ReadonlyMap<string, unknown>,
): string | null {
  const isAbout = /unsupported[ _](?:parameter|value)|not supported with this model/i
  if (error.status !== 400 || !isAbout.test(wordsOf(error))) return null
  const names = [...sent.keys()]
  return names.find((name) => error.param === name || wordsOf(error).includes(`'${name}'`)) ?? null
}

/** Returns the end of the pause that the provider requests, at most five minutes from now. */
export function restAfter(error: unknown, now: Date): Date | null {
  if (!(error instanceof APIError) || error.status !== 429) return null
  const waitMs = retryAfterMs(error.headers?.get('retry-after'), now)
  return waitMs ? new Date(now.getTime() + Math.min(waitMs, maxRestMs)) : null
}

const maxRestMs = 5 * 60 * 1000

const contentPolicy =
  /content[ _]?(?:management )?(?:policy|policies|filter)|moderation|safety|responsible ?ai|usage polic|flagged|invalid_prompt|prohibited/i

const imageUnsupported =
  /image(?:_url|s)?\b[^.]{0,60}(?:not (?:be )?(?:supported|enabled)|only supported|unsupported)|(?:not|n't|cannot) (?:support|accept|handle|process)[^.]{0,40}\b(?:image|vision|multimodal)|support image input|unknown variant .{0,4}image|not a (?:multimodal|vision)|at most 0 image|unsupported content[^.]{0,30}image/i

/**
 * True for statuses that refer to the request. llama.cpp answers 500 when its model does not support
 * images.
 */
function isBelieved(fault: CaptionFault, status: number): boolean {
  const statuses = [
    400,
    403,
    404,
    415,
    422,
    451,
    ...(fault === 'image_unsupported' ? [500, 501] : []),
  ]
  return statuses.includes(status)
}

function wordsOf(error: APIError): string {
  return `${error.code ?? ''} ${error.type ?? ''} ${error.message} ${JSON.stringify(error.error ?? '')}`
}
