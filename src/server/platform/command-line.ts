/**
 * Parses the arguments of a command. An unknown option is an error before any work starts: a mistyped
 * `--dry-run` must not be ignored.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { reasonOf } from './start-error.ts'

type Options = NonNullable<ParseArgsConfig['options']>

type Command<Known extends Options> = {
  /** The command line, printed for `--help` and after an error. */
  readonly usage: string
  readonly options?: Known
  /** The exact number of positional arguments, or 'any'. Default: 0. */
  readonly words?: number | 'any'
}

/** Parses the arguments. Prints the usage and ends the process with exit code 2 if they are invalid. */
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
      // No command takes arguments that begin with a dash, so the sentence about them is removed.
      return end(2, `${reasonOf(error).split('. ')[0]}\nusage: ${usage}`)
    }
  }
}

function end(code: 0 | 2, text: string): never {
  ;(code === 0 ? process.stdout : process.stderr).write(`${text}\n`)
  process.exit(code)
}
