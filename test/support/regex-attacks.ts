/**
 * Searches for a text on which a regular expression takes more than linear time: a prefix that reaches a
 * repetition, then a piece of the pattern many times, then something that does not match.
 */
import type { AST } from '@eslint-community/regexpp'
import { visitRegExpAST } from '@eslint-community/regexpp'
import { characterTest, createStepCounter, parsePattern } from './regex-steps.ts'

const shortCharacters = 80
const fewestPieces = 4
const lengthening = 4
/** Between 4, which is linear, and 16, which is quadratic. */
const maxGrowth = 8
/** Fewer steps for each character count as linear, also for longer texts. */
const usualStepsPerCharacter = 12
const maxSteps = 100_000
const longestSequence = 4
const maxPieces = 40
/** A pattern with fewer repetitions counts as linear. */
const fewRepetitions = 20

const common = ' \ta0A-/._é\u0000'.split('')
const endings = ['', '\u0000', '\n\u0000', '/', '-']

/** Returns the repeated piece with its prefix and ending, or null if there is none. */
export function findSlowText(pattern: RegExp): { text: string; growth: number } | null {
  const tree = parsePattern(pattern.source, pattern.flags)
  if (!repeatsOften(tree)) return null
  const words = new Words(tree, pattern.flags)
  const countSteps = createStepCounter(pattern)
  for (const beginning of words.beginnings())
    for (const piece of words.pieces())
      for (const ending of endings) {
        const count = Math.max(fewestPieces, Math.ceil(shortCharacters / piece.length))
        const textOf = (count: number) => `${beginning}${piece.repeat(count)}${ending}`
        const short = textOf(count)
        const steps = countSteps(short, maxSteps)
        if (steps < usualStepsPerCharacter * short.length) continue
        const growth = countSteps(textOf(count * lengthening), maxSteps) / steps
        if (growth > maxGrowth || steps === Infinity)
          return { text: `${beginning}(${piece})*${ending}`, growth }
      }
  return null
}

function repeatsOften(tree: AST.Pattern): boolean {
  let longest = 0
  visitRegExpAST(tree, { onQuantifierEnter: ({ max }) => void (longest = Math.max(longest, max)) })
  return longest > fewRepetitions
}

/** Generates texts that parts of a pattern match. */
class Words {
  readonly #tree: AST.Pattern
  readonly #flags: string
  readonly #alphabet: readonly string[]

  constructor(tree: AST.Pattern, flags: string) {
    this.#tree = tree
    this.#flags = flags
    const letters = new Set<string>()
    visitRegExpAST(tree, {
      onCharacterEnter: ({ value }) => void letters.add(String.fromCodePoint(value)),
    })
    this.#alphabet = [...letters, ...common]
  }

  /**
   * Returns prefixes that reach each repetition. A first character that matches nothing keeps '^' from
   * matching.
   */
  beginnings(): Set<string> {
    const found = new Set(['', '\u0000'])
    const enter = (node: AST.Node, before: string) => {
      if ('alternatives' in node) for (const inner of node.alternatives) enter(inner, before)
      else if (node.type === 'Quantifier') {
        found.add(before)
        enter(node.element, before)
      } else if (node.type === 'Alternative') {
        let read = before
        for (const element of node.elements) {
          enter(element, read)
          read += this.#wordOf(element)
        }
      }
    }
    enter(this.#tree, '')
    return found
  }

  /** Returns single characters, and texts that match short sequences of the pattern's parts. */
  pieces(): string[] {
    const found = new Set<string>(this.#alphabet)
    visitRegExpAST(this.#tree, {
      onAlternativeEnter: ({ elements }) => {
        for (let from = 0; from < elements.length; from++)
          for (let to = from + 1; to <= Math.min(elements.length, from + longestSequence); to++)
            found.add(
              elements
                .slice(from, to)
                .map((part) => this.#wordOf(part, 1))
                .join(''),
            )
      },
    })
    found.delete('')
    return [...found].slice(0, maxPieces)
  }

  /** Returns a text for a node: a repetition has its minimum, or `min` repeats. */
  #wordOf(node: AST.Node, min = 0): string {
    switch (node.type) {
      case 'Character':
        return String.fromCodePoint(node.value)
      case 'CharacterSet':
      case 'CharacterClass':
        return this.#alphabet.find(characterTest(node.raw, this.#flags)) ?? ''
      case 'Quantifier': {
        const count = Math.min(node.max, Math.max(node.min, min))
        return this.#wordOf(node.element, min).repeat(count)
      }
      case 'Group':
      case 'CapturingGroup':
        return node.alternatives[0] ? this.#wordOf(node.alternatives[0], min) : ''
      case 'Alternative':
        return node.elements.map((part) => this.#wordOf(part, min)).join('')
      default:
        return ''
    }
  }
}
