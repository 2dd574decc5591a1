/** A sentence with something else than text in one of its places: a link, a name in bold. */
import { createElement, Fragment, type ReactNode } from 'react'

/** No text of a catalogue has these. */
const mark = '\u0000'

/** `sentence(words.agree, { terms: <Link …>…</Link> })` */
export function sentence<Name extends string>(
  text: (values: { readonly [Place in Name]: string }) => string,
  values: { readonly [Place in Name]: ReactNode },
): ReactNode {
  const places = Object.keys(values).map((name) => [name, `${mark}${name}${mark}`])
  // One mark for each place that the text asks for.
  const marked = text(Object.fromEntries(places) as { readonly [Place in Name]: string })
  const nodes = new Map<string, ReactNode>(Object.entries(values))
  const parts = marked.split(mark).map((part, place) => (place % 2 === 1 ? nodes.get(part) : part))
  // As children one by one they need no keys: their order is the sentence's.
  return createElement(Fragment, null, ...parts)
}
