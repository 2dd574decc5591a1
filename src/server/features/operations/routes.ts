/** Operations, as a table of contents. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { alive, readDocs, readMetrics, readOpenApi, ready } from './operations.ts'

export const operationRoutes = [
  route(api.operations.alive, alive),
  route(api.operations.ready, ready),
  route(api.operations.metrics, readMetrics),
  route(api.operations.openapi, readOpenApi),
  route(api.operations.docs, readDocs),
]
