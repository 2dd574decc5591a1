/**
 * Counts the steps of a backtracking engine, such as those of browsers and Node. Unlike the time, the count
 * is the same on every machine.
 */
import type { AST } from '@eslint-community/regexpp'
import { RegExpParser } from '@eslint-community/regexpp'

/** Returns the end of the match, or -1. `next` matches what follows the node. */
type Matcher = (at: number, next: (at: number) => number) => number

/** A text and the number of steps that are left. */
type Run = { text: string; left: number }

/** Returns the number of steps to find all matches of a pattern in a text; Infinity above `max`. */
export type StepCounter = (text: string, max: number) => number

export function createStepCounter({ source, flags }: RegExp): StepCounter {
  const run: Run = { text: '', left: 0 }
  const match = matcherOf(parsePattern(source, flags), flags, run)
  return (text, max) => {
    run.text = text
    run.left = max
    try {
      for (let at = 0; at <= text.length;) {
        const end = match(at, (end) => end)
        at = end > at ? end : at + 1
      }
    } catch (error) {
      if (error === tooMany) return Infinity
      throw error
    }
    return max - run.left
  }
}

export function parsePattern(source: string, flags: string): AST.Pattern {
  const unicode = flags.includes('u')
  return new RegExpParser().parsePattern(source, 0, source.length, { unicode })
}

const tooMany = new Error('too many steps')

function matcherOf(node: AST.Node, flags: string, run: Run): Matcher {
  const step = () => {
    run.left -= 1
    if (run.left < 0) throw tooMany
  }
  const matcher = (inner: AST.Node) => matcherOf(inner, flags, run)
  switch (node.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return oneOf(node.alternatives.map(matcher))
    case 'Alternative':
      return inSequence(node.elements.map(matcher))
    case 'Quantifier':
      return repeated(matcher(node.element), node)
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass': {
      const isOf = characterTest(node.raw, flags)
      return (at, next) => {
        step()
        const character = characterAt(run.text, at, flags)
        return character !== '' && isOf(character) ? next(at + character.length) : -1
      }
    }
    case 'Assertion': {
      if (node.kind !== 'lookahead') return here(node.raw, flags, run, step)
      const ahead = oneOf(node.alternatives.map(matcher))
      return (at, next) => {
        step()
        return ahead(at, (end) => end) >= 0 === node.negate ? -1 : next(at)
      }
    }
    default:
      throw new Error(`${node.type} in /${node.raw}/ is not counted`)
  }
}

function oneOf(choices: readonly Matcher[]): Matcher {
  return (at, next) => {
    for (const choice of choices) {
      const end = choice(at, next)
      if (end >= 0) return end
    }
    return -1
  }
}

function inSequence(parts: readonly Matcher[]): Matcher {
  const from = (index: number, at: number, next: (at: number) => number): number => {
    const part = parts[index]
    return part ? part(at, (end) => from(index + 1, end, next)) : next(at)
  }
  return (at, next) => from(0, at, next)
}

function repeated(element: Matcher, { min, max, greedy }: AST.Quantifier): Matcher {
  const again = (count: number, at: number, next: (at: number) => number): number => {
    const more = () =>
      count >= max
        ? -1
        : element(at, (end) => (end === at && count >= min ? -1 : again(count + 1, end, next)))
    const enough = () => (count >= min ? next(at) : -1)
    const [first, second] = greedy ? [more, enough] : [enough, more]
    const end = first()
    return end >= 0 ? end : second()
  }
  return (at, next) => again(0, at, next)
}

/** Matches nodes that test a position and a few characters around it. */
function here(raw: string, flags: string, run: Run, step: () => void): Matcher {
  const pattern = new RegExp(raw, `${flags.replaceAll(/[gy]/g, '')}y`)
  return (at, next) => {
    step()
    pattern.lastIndex = at
    return pattern.test(run.text) ? next(at) : -1
  }
}

/** Returns a test of whether a part of a pattern that matches one character matches this one. */
export function characterTest(raw: string, flags: string): (character: string) => boolean {
  const pattern = new RegExp(`^(?:${raw})$`, flags.replaceAll(/[gym]/g, ''))
  const known = new Map<string, boolean>()
  return (character) => {
    const isOf = known.get(character) ?? pattern.test(character)
    known.set(character, isOf)
    return isOf
  }
}

function characterAt(text: string, at: number, flags: string): string {
  const point = flags.includes('u') ? text.codePointAt(at) : text.charCodeAt(at)
  return at >= text.length || point === undefined ? '' : String.fromCodePoint(point)
}
