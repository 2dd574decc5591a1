/**
 * The process that `answer-reader.ts` starts. It has no access to the service; it parses one answer after
 * the other and sends back the results.
 */
import process from 'node:process'
import { FeedUnavailable } from '../feed-source.ts'
import type { AnswerKind, GivenAnswer } from './answer-readers.ts'
import { answerReaders } from './answer-readers.ts'

/** A message from `answer-reader.ts`. */
export type ReadingTask = { readonly kind: AnswerKind; readonly answer: GivenAnswer }

/** The reply to a `ReadingTask`. */
export type ReadingReply =
  | { readonly found: unknown }
  | { readonly unavailable: Pick<FeedUnavailable, 'reason' | 'message' | 'words'> }

process.on('message', (task: ReadingTask) => process.send?.(replyTo(task)))
process.on('disconnect', () => process.exit(0))

function replyTo({ kind, answer }: ReadingTask): ReadingReply {
  try {
    return { found: answerReaders[kind](answer) }
  } catch (error) {
    if (!(error instanceof FeedUnavailable))
      return { unavailable: { ...unreadable, message: String(error).slice(0, 200) } }
    const { reason, message, words } = error
    return { unavailable: { reason, message, words } }
  }
}

const unreadable = {
  reason: 'unreadable',
  words: 'answered with something that cannot be read',
} as const
