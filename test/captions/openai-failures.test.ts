/** The reasons for which a provider gave no caption, in the words of existing servers. */
import { APIError } from 'openai'
import { expect, test } from 'vitest'
import type { CaptionOrder } from '../../src/server/features/captions/provider/caption-provider.ts'
import { readCompletion } from '../../src/server/features/captions/provider/openai-answers.ts'
import {
  failureOfError,
  refusedParameter,
  restAfter,
} from '../../src/server/features/captions/provider/openai-failures.ts'
import {
  isRefusalText,
  refusalFault,
} from '../../src/server/features/captions/provider/refusals.ts'
import { plainVoice } from '../../src/server/features/captions/provider/voices.ts'

const order: CaptionOrder = {
  purpose: 'playback',
  voice: plainVoice(),
  material: {},
  picture: Buffer.from('jpeg'),
}

const failing = (status: number, error: object, headers: Record<string, string> = {}) =>
  APIError.generate(status, { error }, undefined, new Headers(headers))

test.each([
  [400, { message: 'Your input was flagged', code: 'content_policy_violation' }, 'policy'],
  [
    400,
    {
      message:
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      code: 'content_filter',
      param: 'prompt',
      innererror: { code: 'ResponsibleAIPolicyViolation' },
    },
    'policy',
  ],
  [
    403,
    { message: 'Input was flagged by moderation', metadata: { reasons: ['sexual'] } },
    'policy',
  ],
  [
    400,
    { message: 'Rejected by our safety system', type: 'image_generation_user_error' },
    'policy',
  ],
  [400, { message: 'Flagged: sexual/minors', code: 'content_policy_violation' }, 'minor'],
  [
    400,
    { message: 'Invalid content type. image_url is only supported by certain models.' },
    'image',
  ],
  [400, { message: 'this model does not support image input (ref: 1)' }, 'image'],
  [400, { message: 'Model do not support image input.' }, 'image'],
  [400, { message: 'Model does not support images. Please use a model that does.' }, 'image'],
  [
    500,
    {
      code: 500,
      message: 'image input is not supported - hint: you may need to provide the mmproj',
    },
    'image',
  ],
  [404, { code: '404', message: 'No endpoints found that support image input' }, 'image'],
  [
    400,
    {
      message: 'messages[1]: unknown variant `image_url`, expected `text` at line 1 column 62797',
      code: 'invalid_request_error',
    },
    'image',
  ],
  [400, { message: 'tiny-model is not a multimodal model' }, 'image'],
  [400, { message: 'At most 0 image(s) may be provided in one request.' }, 'image'],
  [
    500,
    { message: 'Failed to parse messages: Unsupported content part type: "image_url"' },
    'image',
  ],
  [400, { message: 'You uploaded an unsupported image. Use png or jpeg.' }, 'failed'],
  [401, { message: 'Incorrect API key provided', code: 'invalid_api_key' }, 'failed'],
  [404, { message: 'The model `x` does not exist', code: 'model_not_found' }, 'failed'],
  [429, { message: 'Rate limit reached', code: 'rate_limit_exceeded' }, 'failed'],
  [500, { message: 'The moderation service is down' }, 'failed'],
  [503, { message: 'overloaded' }, 'failed'],
])('%d %j is %s', (status, error, expected) => {
  const { fault } = failureOfError(failing(status, error), order)
  expect(fault).toBe(expected === 'image' ? 'image_unsupported' : expected)
})

test('a text-only request is never reported as a refused picture', () => {
  const error = failing(400, { message: 'this model does not support image input' })
  expect(failureOfError(error, { ...order, picture: null }).fault).toBe('failed')
})

test.each([
  ['a refusal', { refusal: 'I can’t help with that.' }, 'stop', 'policy'],
  ['one that names minors', { refusal: 'It appears to show a child.' }, 'stop', 'minor'],
  ['a filtered answer', { content: '' }, 'content_filter', 'policy'],
  ['one that was cut off by the filter', { content: 'Look at' }, 'content_filter', 'policy'],
  ['an empty answer', { content: '  ' }, 'stop', 'failed'],
  ['nothing', { content: null }, 'length', 'failed'],
])('%s with status 200', (_, message, reason, expected) => {
  const body = { choices: [{ finish_reason: reason, message: { role: 'assistant', ...message } }] }
  expect(() => readCompletion(body, order)).toThrow(expect.objectContaining({ fault: expected }))
})

test.each([
  [undefined, 'failed'],
  ['<html>', 'failed'],
  [{ choices: [] }, 'failed'],
  [{ choices: [{ message: { content: 7 } }] }, 'failed'],
  [{ error: { message: 'Provider returned error: flagged by moderation' } }, 'policy'],
  [
    { error: { message: 'No endpoints found that support image input', code: 404 } },
    'image_unsupported',
  ],
])('the body %j has no caption', (body, expected) => {
  expect(() => readCompletion(body, order)).toThrow(expect.objectContaining({ fault: expected }))
})

test('a refusal in the answer is detected, and a caption is not taken for one', () => {
  for (const text of [
    "I'm sorry, but I can't help with that.",
    'I’m really sorry, I cannot caption this.',
    'Sorry, I can’t assist with that request.',
    'I cannot describe this picture.',
    'I won’t write a caption for this image.',
    "Unfortunately, I'm not able to do this.",
    'As an AI, I must be careful.',
  ])
    expect(isRefusalText(text), text).toBe(true)
  for (const text of [
    'I can’t help but stay here a little longer.',
    'Be sorry for nothing; the light is yours.',
    'Describe it to yourself, slowly, and breathe.',
  ])
    expect(isRefusalText(text), text).toBe(false)
  expect(refusalFault('The person may be under 18.')).toBe('minor')
  expect(refusalFault('That is against the rules.')).toBe('policy')
})

test('an unsupported parameter is named, and nothing else is', () => {
  const sent = new Map([
    ['max_tokens', 1],
    ['temperature', 1],
  ])
  const about = (message: string, param: string | null = null) =>
    refusedParameter(failing(400, { message, param, code: 'unsupported_parameter' }), sent)
  expect(about("Unsupported parameter: 'max_tokens' is not supported with this model.")).toBe(
    'max_tokens',
  )
  expect(about('Unsupported value', 'temperature')).toBe('temperature')
  expect(about("Unsupported parameter: 'logprobs'")).toBeNull()
  expect(refusedParameter(failing(400, { message: 'Bad max_tokens' }), sent)).toBeNull()
})

test('Retry-After of a provider is respected, for five minutes at most', () => {
  const now = new Date('2026-05-01T12:00:00Z')
  const until = (retryAfter: string, status = 429) =>
    restAfter(failing(status, {}, { 'retry-after': retryAfter }), now)?.toISOString() ?? null
  expect(until('20')).toBe('2026-05-01T12:00:20.000Z')
  expect(until('Fri, 01 May 2026 12:01:00 GMT')).toBe('2026-05-01T12:01:00.000Z')
  expect(until('86400')).toBe('2026-05-01T12:05:00.000Z')
  expect(until('soon')).toBeNull()
  expect(until('20', 500)).toBeNull()
})
