/** Reads the catalogues of the web client: the texts that a `catalogue('feature', { … })` is called with. */
import { type ESTree, parseSync, Visitor } from 'vite'

export type Texts = { readonly [name: string]: string | Texts }

/** One text, or the forms of a counted one, and its position in the file. */
type CatalogueEntry = {
  /** 'library.ways.feeds' */
  readonly path: string
  readonly english: string | Texts
  readonly start: number
  readonly end: number
}

type Catalogue = {
  readonly feature: string
  readonly english: Texts
  readonly entries: readonly CatalogueEntry[]
}

/** Null where a file has none. */
export function catalogueIn(file: string, code: string): Catalogue | null {
  let found: Catalogue | null = null
  new Visitor({
    CallExpression: ({ callee, arguments: [name, english] }) => {
      if (callee.type !== 'Identifier' || callee.name !== 'catalogue') return
      const feature = name && textsOf(name)
      if (typeof feature !== 'string' || english?.type !== 'ObjectExpression') return
      found = { feature, english: textsIn(english), entries: entriesIn(english, feature) }
    },
  }).visit(parseSync(file, code).program)
  return found
}

function isCounted(texts: Texts): boolean {
  return typeof texts['other'] === 'string'
}

function entriesIn(node: ESTree.ObjectExpression, path: string): CatalogueEntry[] {
  return node.properties.flatMap((property) => {
    if (property.type !== 'Property') return []
    const { value } = property
    const entryPath = `${path}.${nameOf(property.key)}`
    if (value.type === 'ObjectExpression' && !isCounted(textsIn(value)))
      return entriesIn(value, entryPath)
    return [{ path: entryPath, english: textsOf(value), start: value.start, end: value.end }]
  })
}

function textsOf(node: ESTree.Node): string | Texts {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'ObjectExpression') return textsIn(node)
  throw new Error(`a catalogue is plain text, not ${node.type}`)
}

function textsIn(node: ESTree.ObjectExpression): Texts {
  return Object.fromEntries(
    node.properties.flatMap((property) =>
      property.type === 'Property' ? [[nameOf(property.key), textsOf(property.value)]] : [],
    ),
  )
}

function nameOf(key: ESTree.Node): string {
  if (key.type === 'Identifier') return key.name
  return key.type === 'Literal' ? String(key.value) : ''
}
