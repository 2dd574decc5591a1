/** Converts validation errors of a schema to failures of the contract (section 5). */
import type { z } from 'zod'
import type { Failure } from '../../contract/failure.ts'
import { problems } from '../../contract/problems.ts'
import { Problem } from './problem.ts'

const maxIssuesNamed = 5

/** Returns the parsed input, or throws the given failure with a sentence about each invalid field. */
export function parseInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  failure: Failure,
): z.output<S> {
  const parsed = schema.safeParse(input, { reportInput: true })
  if (parsed.success) return parsed.data
  throw validationProblem(parsed.error.issues, failure)
}

function validationProblem(issues: readonly z.core.$ZodIssue[], failure: Failure): Problem {
  const sentences = issues.slice(0, maxIssuesNamed).map((issue) => `${pathOf(issue)} ${say(issue)}`)
  const words = sentences.join('; ')
  if (failure === problems.validationError)
    return new Problem(failure, { message: `Validation error: ${words}` })
  // Failures with one text field get the sentences there.
  if (failure !== problems.validationFailed)
    return new Problem(failure, 'error' in failure.fields ? { error: words } : {})
  return new Problem(failure, {
    message: `Validation failed: ${words}`,
    details: { issues: issues.map(detail) },
  })
}

function pathOf(issue: z.core.$ZodIssue): string {
  return issue.path.length > 0 ? issue.path.map(String).join('.') : 'body'
}

function detail(issue: z.core.$ZodIssue) {
  return {
    code: issue.code,
    expected: 'expected' in issue ? String(issue.expected) : say(issue),
    received: typeName(issue.input),
    path: issue.path.map((key) => (typeof key === 'number' ? key : String(key))),
    message: say(issue),
  }
}

function say(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${typeWords(issue.expected)}`
    case 'too_small':
      if (issue.input === '') return 'is required'
      if (issue.inclusive === false) return `must be more than ${Number(issue.minimum)}`
      return `must ${amount(issue.origin, 'at least', Number(issue.minimum))}`
    case 'too_big':
      if (issue.inclusive === false) return `must be less than ${Number(issue.maximum)}`
      return `must ${amount(issue.origin, 'at most', Number(issue.maximum))}`
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : `must be one of ${issue.values.join(', ')}`
    case 'invalid_format':
      return formatWords[issue.format] ?? 'is not well formed'
    case 'custom':
      return issue.message
    default:
      return 'is not well formed'
  }
}

const formatWords: Readonly<Record<string, string>> = {
  email: 'must be an e-mail address',
  date: 'must be a real date like 2001-12-31',
  datetime: 'must be a time like 2001-12-31T23:59:59Z',
  url: 'must be a URL',
  uuid: 'must be a UUID',
}

function typeWords(expected: string): string {
  if (expected === 'int') return 'a whole number'
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`
}

function amount(origin: string, bound: 'at least' | 'at most', limit: number): string {
  if (origin === 'string')
    return `have ${bound} ${limit} ${limit === 1 ? 'character' : 'characters'}`
  if (origin === 'array' || origin === 'set') return `have ${bound} ${limit} items`
  return `be ${bound} ${limit}`
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isNaN(value) ? 'nan' : typeof value
}
