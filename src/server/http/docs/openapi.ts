/** Builds an OpenAPI 3.1 document from the schemas that validate the API. */
import { z } from 'zod'
import { endpoints } from '../../../contract/api.ts'
import type { Endpoint, Form } from '../../../contract/endpoint.ts'
import { failuresOf, limitOf, needsSignIn } from '../../../contract/endpoint.ts'
import { scopeOf } from '../../../contract/key-scopes.ts'
import type { Failure } from '../../../contract/failure.ts'

type JsonObject = Record<string, unknown>

export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string; summary: string } & JsonObject
  servers: { url: string }[]
  paths: Record<string, Record<string, JsonObject>>
  components: JsonObject
}

type Schemas = Record<string, unknown>

export function describeApi(version: string, baseUrl: string): OpenApiDocument {
  const schemas: Schemas = {}
  const paths: OpenApiDocument['paths'] = {}
  for (const { name, endpoint } of endpoints) {
    const path = templateOf(endpoint.path)
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: describe(schemas, name, endpoint),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lanternist',
      version,
      summary: 'Timed media slideshows: sessions, captions, a vault, a community.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        signIn: { type: 'apiKey', in: 'cookie', name: 'connect.sid' },
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of the account (lan_…) with the scope that is named.',
        },
      },
    },
  }
}

/** OpenAPI has no parameters with slashes. Our '*' always contains one slash, and may contain more. */
const wildcardNames = ['folder', 'path']

function templateOf(path: string): string {
  const wildcard = wildcardNames.map((name) => `{${name}}`).join('/')
  return path.replaceAll(/:(\w+)/g, '{$1}').replace('*', wildcard)
}

function describe(schemas: Schemas, name: string, endpoint: Endpoint): JsonObject {
  const [feature] = name.split('.')
  const limit = limitOf(endpoint)
  const scope = scopeOf(endpoint)
  return {
    operationId: name,
    tags: [feature],
    summary: endpoint.summary,
    'x-who': endpoint.who,
    ...(limit && { 'x-limit': limit.policy }),
    ...(endpoint.price && { 'x-price': endpoint.price }),
    ...((needsSignIn(endpoint) || endpoint.takesKeys) && {
      security: [
        { signIn: [] },
        ...(scope ? [{ key: [scope] }] : []),
        ...(endpoint.openToGuests || endpoint.takesKeys ? [{}] : []),
      ],
    }),
    parameters: [
      ...parametersOf(schemas, endpoint.params, 'path'),
      ...parametersOf(schemas, endpoint.query, 'query'),
      ...(endpoint.price ? [idempotencyKey] : []),
    ],
    ...((endpoint.body ?? endpoint.form) && { requestBody: describeBody(schemas, endpoint) }),
    responses: describeAnswers(schemas, endpoint),
  }
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 200 },
}

function parametersOf(
  schemas: Schemas,
  schema: z.ZodType | undefined,
  location: 'path' | 'query',
): JsonObject[] {
  if (!(schema instanceof z.ZodObject)) return []
  const { properties = {}, required = [] } = jsonSchemaOf(schemas, schema, 'input')
  return Object.entries(properties).flatMap(([key, property]) =>
    (key === '*' ? wildcardNames : [key]).map((name) => ({
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      schema: property,
    })),
  )
}

function describeBody(schemas: Schemas, { body, form, acceptsForm }: Endpoint): JsonObject {
  const content = body && { schema: jsonSchemaOf(schemas, body, 'input') }
  return {
    required: true,
    content: {
      ...(content && { 'application/json': content }),
      ...(acceptsForm && { 'application/x-www-form-urlencoded': content }),
      ...(form && { 'multipart/form-data': { schema: describeForm(schemas, form) } }),
    },
  }
}

function describeForm(schemas: Schemas, { file, fields }: Form): JsonObject {
  const { properties, required = [] } = jsonSchemaOf(schemas, fields, 'input')
  return {
    type: 'object',
    properties: { ...properties, [file]: { contentMediaType: 'application/octet-stream' } },
    required: [...required, file],
  }
}

function describeAnswers(schemas: Schemas, endpoint: Endpoint): JsonObject {
  const { answer } = endpoint
  const success: JsonObject = { description: 'Success' }
  if (answer.kind === 'redirect') success['headers'] = { Location: { schema: { type: 'string' } } }
  if (answer.kind === 'text' || answer.kind === 'stream')
    success['content'] = { [answer.mediaType]: {} }
  if (answer.kind === 'json')
    success['content'] = {
      'application/json': { schema: jsonSchemaOf(schemas, answer.body, 'output') },
    }
  const byStatus = Map.groupBy(new Set(failuresOf(endpoint)), ({ status }) => status)
  const failures = [...byStatus].map(([status, group]) => [
    status,
    describeFailures(schemas, group),
  ])
  return { [answer.status]: success, ...Object.fromEntries(failures) }
}

function describeFailures(schemas: Schemas, failures: readonly Failure[]): JsonObject {
  const bodies = failures.map(({ body }) => jsonSchemaOf(schemas, body, 'output'))
  const words = failures.map(({ fixed }) =>
    String(fixed['message'] ?? fixed['code'] ?? fixed['error'] ?? ''),
  )
  return {
    description: words.filter((word) => word !== '').join(' · ') || 'Failure',
    content: {
      'application/json': { schema: bodies.length === 1 ? bodies[0] : { anyOf: bodies } },
    },
  }
}

/** Returns the schema for inline use. The named schemas in it move to the document's components. */
function jsonSchemaOf(schemas: Schemas, schema: z.ZodType, io: 'input' | 'output') {
  const described = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  const { $schema: _, $defs = {}, ...rest } = pointToComponents(described)
  Object.assign(schemas, $defs)
  return rest
}

function pointToComponents<T>(described: T): T {
  const text = JSON.stringify(described).replaceAll('"#/$defs/', '"#/components/schemas/')
  return JSON.parse(text) as T
}
