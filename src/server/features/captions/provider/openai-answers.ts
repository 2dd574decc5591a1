/** Parses a chat completion: a caption, or one of several refusals with status 200. */
import { z } from 'zod'
import type { CaptionOrder } from './caption-provider.ts'
import { CaptionFailed } from './caption-provider.ts'
import { faultOfMessage } from './openai-failures.ts'
import { refusalFault } from './refusals.ts'

const completion = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      }),
    )
    .min(1),
})

/** Some gateways return an upstream error with status 200. */
const hiddenError = z.object({ error: z.record(z.string(), z.unknown()) })

export function readCompletion(body: unknown, order: CaptionOrder): string {
  const parsed = completion.safeParse(body)
  const [choice] = parsed.data?.choices ?? []
  if (!choice) {
    const hidden = hiddenError.safeParse(body)
    const words = hidden.success ? JSON.stringify(hidden.data.error) : ''
    const fault = faultOfMessage(words, { withPicture: order.picture !== null })
    throw new CaptionFailed(fault, 'The provider’s answer has no caption')
  }
  const { finish_reason: reason, message } = choice
  const refusal = message.refusal ?? ''
  if (refusal.trim() !== '') throw new CaptionFailed(refusalFault(refusal), 'The provider refused')
  const content = message.content ?? ''
  if (reason === 'content_filter')
    throw new CaptionFailed('policy', 'The provider filtered its answer')
  if (content.trim() === '') throw new CaptionFailed('failed', 'The provider’s answer is empty')
  return content
}
