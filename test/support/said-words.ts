/** Finds texts in a source file of the web client that users would read on the page. */
import { parseSync, Visitor } from 'vite'

type Place = { readonly start: number; readonly end: number }

/** Starts like a sentence or a label. A key, a header or a browser class is one word in camel case. */
const label = /^[“‘(]?\p{Lu}([\p{Ll}’]+([\s.,:!?…’]|$)|\s\p{Ll})/u
/** A word next to a blank, beside a placeholder. */
const glued = /(^|\s)[\p{L}’]{2,}[.,:!?…]?\s|\s[\p{L}’]{2,}[.,:!?…]?($|\s)/u

export function saidWords(file: string, code: string): string[] {
  const unread: Place[] = []
  const texts: (Place & { text: string })[] = []
  const leaveOut = (node: Place) => void unread.push(node)
  new Visitor({
    ImportDeclaration: leaveOut,
    ImportExpression: leaveOut,
    NewExpression: (node) => {
      if (/^new (\w*Error|DOMException)\(/.test(code.slice(node.start, node.end))) leaveOut(node)
    },
    TSLiteralType: leaveOut,
    TSModuleDeclaration: leaveOut,
    JSXAttribute: (node) => {
      const name = code.slice(node.name.start, node.name.end)
      if (node.value?.type !== 'Literal') {
        if (/class|style/i.test(name)) leaveOut(node)
      } else if (!isRead(name)) leaveOut(node)
      else if (/\p{L}/u.test(node.value.value))
        texts.push({ start: node.start, end: node.end, text: node.value.value })
    },
    // The seed of a random generator.
    Property: (node) => {
      if (code.slice(node.key.start, node.key.end) === 'seed') leaveOut(node)
    },
    JSXText: ({ start, end, value }) => {
      if (/\p{L}/u.test(value)) texts.push({ start, end, text: value.trim() })
    },
    Literal: ({ start, end, value }) => {
      if (typeof value === 'string' && label.test(value)) texts.push({ start, end, text: value })
    },
    TemplateLiteral: ({ start, end, quasis }) => {
      // A unit follows a measure in a style.
      const parts = quasis.map(({ value }) => (value.cooked ?? '').replace(/^px\b/, ''))
      if (parts.some((part) => label.test(part) || glued.test(part)))
        texts.push({ start, end, text: parts.join('{}') })
    },
  }).visit(parseSync(file, code).program)
  return texts
    .filter((text) => !unread.some(({ start, end }) => start <= text.start && text.end <= end))
    .map(({ text }) => text)
}

/** Returns true for attributes whose strings users read. */
function isRead(attribute: string): boolean {
  return /^(aria-(label|description|valuetext|roledescription|placeholder)|alt|title|placeholder|text|help|question|complaint|hint|reason|note|(\w+L|l)abel)$/.test(
    attribute,
  )
}
