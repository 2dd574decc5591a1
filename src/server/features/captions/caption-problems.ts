/** Converts failures of captions to the contract's problems. */
import type { Context } from '../../context.ts'
import type { SignedInUser } from '../../http/caller.ts'
import type { Problem } from '../../http/problem.ts'
import { problem } from '../../http/problem.ts'
import { CaptionFailed } from './provider/caption-provider.ts'
import type { Voice } from './provider/voices.ts'

/** Converts a caption failure to the contract's problem. Unexpected errors are returned unchanged. */
export function asProblem(
  ctx: Context,
  error: unknown,
  { namesModel }: { readonly namesModel: boolean },
): unknown {
  if (!(error instanceof CaptionFailed)) return error
  if (error.fault === 'failed' || error.fault === 'timeout' || error.fault === 'image_unsupported')
    ctx.log.warn(
      { event: 'caption_failed', err: error },
      'the caption provider returned no caption',
    )
  return problemOf(ctx, error, namesModel)
}

export function refuseWithoutProvider(ctx: Context): void {
  if (ctx.captions.name === 'off') throw problem.captionsNotConfigured()
}

export function refuseUnverified(user: SignedInUser, voice: Voice): void {
  if (voice.isAdult && !user.ageVerified)
    throw problem.ageVerificationRequired({ message: 'This theme is for age-verified accounts' })
}

function problemOf(ctx: Context, { fault }: CaptionFailed, namesModel: boolean): Problem {
  switch (fault) {
    case 'not_configured':
      return problem.captionsNotConfigured()
    case 'policy':
      return problem.contentPolicy({ message: 'The provider refused to write about this' })
    case 'minor':
      return problem.contentPolicy({
        message: 'No caption is written for a picture that may show a minor',
      })
    case 'image_unsupported': {
      const { model } = ctx.captions
      return problem.modelImageUnsupported(namesModel && model !== null ? { modelId: model } : {})
    }
    case 'timeout':
      return problem.captionProviderTimeout()
    case 'failed':
      return problem.captionProviderFailed()
  }
}
