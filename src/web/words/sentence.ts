/** A text with an element in one of its placeholders, such as a link or a bold name. */
import { createElement, Fragment, type ReactNode } from 'react'

/** A character that no text contains. */
const mark = '\u0000'

/** Returns the text with its elements: `sentence(words.agree, { terms: <Link …>…</Link> })` */
export function sentence<Name extends string>(
  text: (values: { readonly [Key in Name]: string }) => string,
  values: { readonly [Key in Name]: ReactNode },
): ReactNode {
  const markers = Object.keys(values).map((name) => [name, `${mark}${name}${mark}`])
  // One marker for each placeholder of the text.
  const marked = text(Object.fromEntries(markers) as { readonly [Key in Name]: string })
  const nodes = new Map<string, ReactNode>(Object.entries(values))
  const parts = marked.split(mark).map((part, index) => (index % 2 === 1 ? nodes.get(part) : part))
  // Children that are passed one by one need no keys, because their order is fixed.
  return createElement(Fragment, null, ...parts)
}
