/** Renders the OpenAPI document as a page of plain HTML: no scripts, no external resources. */
import { escapeHtml } from '../html.ts'
import type { OpenApiDocument } from './openapi.ts'

type Operation = {
  operationId?: string
  summary?: string
  'x-who'?: string
  'x-limit'?: string
  'x-price'?: string
  parameters?: { name: string; in: string; required: boolean; schema: unknown }[]
  requestBody?: { content: Record<string, { schema: unknown }> }
  responses?: Record<
    string,
    { description: string; content?: Record<string, { schema?: unknown }> }
  >
}

export const docsStyle = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1, h2 { line-height: 1.2 }
h2 { margin-top: 2.5rem; text-transform: capitalize }
details { border: 1px solid #8886; border-radius: 6px; margin: .5rem 0; padding: .5rem .75rem }
summary { cursor: pointer }
summary code { font-weight: 600 }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0 }
pre { overflow: auto; max-height: 24rem; background: #8881; padding: .75rem; border-radius: 6px; font-size: 13px }
`

export function renderDocs(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: operation as Operation,
    })),
  )
  const byFeature = Map.groupBy(operations, ({ operation }) => operation.operationId?.split('.')[0])
  const sections = [...byFeature].map(
    ([feature, group]) => `<h2>${escape(feature)}</h2>${group.map(renderOperation).join('')}`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lanternist API</title><style>${docsStyle}</style></head><body><main>
<h1>Lanternist API ${escape(document.info.version)}</h1>
<p>${escape(document.info.summary)} The same as a document:
<a href="/api/openapi.json">openapi.json</a>.</p>${sections.join('')}</main></body></html>`
}

function renderOperation(entry: { path: string; method: string; operation: Operation }): string {
  const { path, method, operation } = entry
  const facts = [
    `who: ${operation['x-who']}`,
    operation['x-limit'] && `limit: ${operation['x-limit']}`,
    operation['x-price'] && `price: ${operation['x-price']}`,
  ].filter(Boolean)
  return `<details><summary><code>${method} ${escape(path)}</code> ${escape(operation.summary)}</summary>
<p>${escape(facts.join(' · '))}</p>${renderParameters(operation)}${renderBody(operation)}${renderAnswers(operation)}</details>`
}

function renderParameters({ parameters = [] }: Operation): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    ({ name, in: location, required, schema }) =>
      `<tr><td><code>${escape(name)}</code></td><td>${location}${required ? ', required' : ''}</td>` +
      `<td><code>${escape(JSON.stringify(schema))}</code></td></tr>`,
  )
  return `<h3>Parameters</h3><table>${rows.join('')}</table>`
}

function renderBody({ requestBody }: Operation): string {
  const kinds = Object.keys(requestBody?.content ?? {})
  const [first] = Object.values(requestBody?.content ?? {})
  return first ? `<h3>Body</h3><p>${escape(kinds.join(', '))}</p>${renderSchema(first.schema)}` : ''
}

function renderAnswers({ responses = {} }: Operation): string {
  const answers = Object.entries(responses).map(([status, { description, content = {} }]) => {
    const schema = Object.values(content)[0]?.schema
    return `<details><summary><code>${status}</code> ${escape(description)}</summary>${schema ? renderSchema(schema) : ''}</details>`
  })
  return `<h3>Answers</h3>${answers.join('')}`
}

function renderSchema(schema: unknown): string {
  return `<pre>${escape(JSON.stringify(schema, null, 2))}</pre>`
}

function escape(text = ''): string {
  return escapeHtml(text)
}
