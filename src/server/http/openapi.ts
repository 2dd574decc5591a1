/** The interface as an OpenAPI 3.1 document, made from the schemas that validate it. */
import { z } from 'zod'
import { endpoints } from '../../contract/api.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { failuresOf, limitOf, needsSignIn } from '../../contract/endpoint.ts'
import type { Failure } from '../../contract/failure.ts'

type JsonObject = Record<string, unknown>

export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string; summary: string } & JsonObject
  servers: { url: string }[]
  paths: Record<string, Record<string, JsonObject>>
  components: JsonObject
}

export function describeApi(version: string, baseUrl: string): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  for (const { name, endpoint } of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describe(name, endpoint) }
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
      securitySchemes: { signIn: { type: 'apiKey', in: 'cookie', name: 'connect.sid' } },
    },
  }
}

function describe(name: string, endpoint: Endpoint): JsonObject {
  const [feature] = name.split('.')
  const limit = limitOf(endpoint)
  return {
    operationId: name,
    tags: [feature],
    summary: endpoint.summary,
    'x-who': endpoint.who,
    ...(limit && { 'x-limit': limit.policy }),
    ...(endpoint.price && { 'x-price': endpoint.price }),
    ...(needsSignIn(endpoint) && { security: [{ signIn: [] }] }),
    parameters: [
      ...parametersOf(endpoint.params, 'path'),
      ...parametersOf(endpoint.query, 'query'),
    ],
    ...(endpoint.body && { requestBody: describeBody(endpoint, endpoint.body) }),
    responses: describeAnswers(endpoint),
  }
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): JsonObject[] {
  if (!(schema instanceof z.ZodObject)) return []
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input')
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }))
}

function describeBody(endpoint: Endpoint, body: z.ZodType): JsonObject {
  const content = { schema: jsonSchemaOf(body, 'input') }
  return {
    required: true,
    content: {
      'application/json': content,
      ...(endpoint.acceptsForm && { 'application/x-www-form-urlencoded': content }),
    },
  }
}

function describeAnswers(endpoint: Endpoint): JsonObject {
  const { answer } = endpoint
  const success: JsonObject = { description: 'Success' }
  if (answer.kind === 'redirect') success['headers'] = { Location: { schema: { type: 'string' } } }
  if (answer.kind === 'text') success['content'] = { [answer.mediaType]: {} }
  if (answer.kind === 'json')
    success['content'] = { 'application/json': { schema: jsonSchemaOf(answer.body, 'output') } }
  const byStatus = Map.groupBy(new Set(failuresOf(endpoint)), ({ status }) => status)
  const failures = [...byStatus].map(([status, group]) => [status, describeFailures(group)])
  return { [answer.status]: success, ...Object.fromEntries(failures) }
}

function describeFailures(failures: readonly Failure[]): JsonObject {
  const schemas = failures.map(({ body }) => jsonSchemaOf(body, 'output'))
  const words = failures.map(({ fixed }) =>
    String(fixed['message'] ?? fixed['code'] ?? fixed['error'] ?? ''),
  )
  return {
    description: words.filter((word) => word !== '').join(' · ') || 'Failure',
    content: {
      'application/json': { schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas } },
    },
  }
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
  })
  return described
}
