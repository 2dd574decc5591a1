/**
 * What stands behind a command. What it does not know is refused before anything is done: overlooked, a
 * `--dry-run` would be none.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { reasonOf } from './start-error.ts'

type Options = NonNullable<ParseArgsConfig['options']>

type Command<Known extends Options> = {
  /** As it is typed, for whoever asks by `--help` or was not understood. */
  readonly usage: string
  readonly options?: Known
  /** How many words it takes that are no options: exactly so many. */
  readonly words?: number | 'any'
}

/** Ends the process where it was not understood, with 2 as its exit code. */
export function readCommandLine<const Known extends Options>({
  usage,
  options,
  words = 0,
}: Command<Known>) {
  const args = process.argv.slice(2)
  if (args.includes('--help')) return end(0, `usage: ${usage}`)
  const parsed = parse(args, options)
  const { length } = parsed.positionals
  return words === 'any' || words === length ? parsed : end(2, `usage: ${usage}`)

  function parse(given: string[], known = {} as Known) {
    try {
      return parseArgs({ args: given, options: known, allowPositionals: true })
    } catch (error) {
      // Its first sentence: the second is of words that begin with a dash, of which there are none.
      return end(2, `${reasonOf(error).split('. ')[0]}\nusage: ${usage}`)
    }
  }
}

function end(code: 0 | 2, text: string): never {
  ;(code === 0 ? process.stdout : process.stderr).write(`${text}\n`)
  process.exit(code)
}
