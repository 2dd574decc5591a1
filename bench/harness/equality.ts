/** Only contenders that give the same answers are worth timing against each other. */
import { isDeepStrictEqual } from 'node:util'
import type { Call, TimedRequest } from './benchmark.ts'
import type { Contender } from './contenders.ts'

/** Sends every call to every contender, and throws where two answers differ in more than key order. */
export async function refuseUnequal(
  contenders: readonly Contender[],
  request: TimedRequest,
): Promise<void> {
  const comparable = request.comparable ?? ((body: unknown) => body)
  for (const call of request.calls) {
    const answers = []
    for (const contender of contenders) {
      answers.push({ name: contender.name, body: comparable(await answerOf(contender, call)) })
    }
    const [first, ...others] = answers
    const other = others.find(({ body }) => !isDeepStrictEqual(body, first?.body))
    if (first && other) throw new Error(describe(request, first, other))
  }
}

async function answerOf(contender: Contender, call: Call): Promise<unknown> {
  const { method, path, headers, body } = call
  const response = await fetch(contender.url + path, {
    method,
    headers: { ...headers },
    // fetch takes any view of bytes, but not Node's wider Buffer type.
    body: typeof body === 'object' ? new Uint8Array(body) : (body ?? null),
    redirect: 'error',
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  if (response.ok && isJson) return JSON.parse(text)
  throw new Error(`${contender.name} answers ${method} ${path} with ${response.status}: ${text}`)
}

type Answer = { name: string; body: unknown }

function describe(request: TimedRequest, one: Answer, other: Answer): string {
  const say = ({ name, body }: Answer) => `${name}: ${JSON.stringify(body)}`
  return `${request.name} is not answered alike\n${say(one)}\n${say(other)}`
}
