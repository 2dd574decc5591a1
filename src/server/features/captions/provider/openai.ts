/** Writes captions with any server that implements OpenAI's chat completions. */
import OpenAI, { APIError } from 'openai'
import type { CaptionOrder, CaptionProvider } from './caption-provider.ts'
import { CaptionFailed } from './caption-provider.ts'
import { readCompletion } from './openai-answers.ts'
import { failureOfError, refusedParameter, restAfter } from './openai-failures.ts'
import { composePrompt } from './prompts.ts'

export type OpenAiSettings = {
  readonly baseUrl: string | undefined
  readonly apiKey: string | undefined
  readonly model: string | undefined
}

type Outside = { readonly fetch: typeof globalThis.fetch; readonly now: () => Date }

const defaultModel = 'gpt-4o-mini'
const maxAnswerBytes = 1_048_576

export function createOpenAiProvider(
  settings: OpenAiSettings,
  { fetch, now }: Outside,
): CaptionProvider {
  const model = settings.model ?? defaultModel
  const client = new OpenAI({
    // Without an explicit URL, the library would read it from the environment.
    baseURL: settings.baseUrl ?? 'https://api.openai.com/v1',
    // Self-hosted servers often need no key.
    apiKey: settings.apiKey ?? 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    fetch: boundedFetch(fetch),
    // A redirect could send our pictures to any address.
    fetchOptions: { redirect: 'error' },
  })
  // Not every model supports these. A refused one is not sent again.
  const parameters = new Map<string, number>([
    ['max_tokens', 400],
    ['temperature', 0.9],
  ])
  let restingUntil = new Date(0)

  const complete = async (order: CaptionOrder, attempt: number, signal: AbortSignal) => {
    for (;;) {
      try {
        return await client.chat.completions.create(
          { model, messages: messagesOf(order, attempt), ...Object.fromEntries(parameters) },
          { signal },
        )
      } catch (error) {
        const refused = error instanceof APIError ? refusedParameter(error, parameters) : null
        if (refused === null) throw error
        parameters.delete(refused)
      }
    }
  }

  return {
    name: 'openai',
    model,
    async ask(order, { attempt, signal }) {
      if (now() < restingUntil) throw new CaptionFailed('failed', 'The provider asked us to wait')
      try {
        return readCompletion(await complete(order, attempt, signal), order)
      } catch (error) {
        restingUntil = restAfter(error, now()) ?? restingUntil
        throw failureOfError(error, order)
      }
    },
  }
}

function messagesOf(
  order: CaptionOrder,
  attempt: number,
): OpenAI.Chat.ChatCompletionMessageParam[] {
  const { system, user } = composePrompt(order, attempt)
  const { picture } = order
  if (!picture)
    return [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ]
  const url = `data:image/jpeg;base64,${picture.toString('base64')}`
  return [
    { role: 'system', content: system },
    {
      role: 'user',
      content: [
        { type: 'text', text: user },
        { type: 'image_url', image_url: { url } },
      ],
    },
  ]
}

/** Limits an answer, normally a few kilobytes, so that an endless one cannot fill the memory. */
function boundedFetch(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    const chunks: Uint8Array[] = []
    let receivedBytes = 0
    for await (const chunk of response.body ?? []) {
      receivedBytes += chunk.byteLength
      if (receivedBytes > maxAnswerBytes)
        throw new CaptionFailed('failed', 'The provider’s answer is too long')
      chunks.push(chunk)
    }
    const { status, statusText, headers } = response
    const mayHaveBody = ![101, 204, 205, 304].includes(status)
    return new Response(mayHaveBody ? Buffer.concat(chunks) : null, { status, statusText, headers })
  }
}
