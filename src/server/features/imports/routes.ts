/** Imports, as a table of contents. */
import { api } from '../../../contract/api.ts'
import { route } from '../../http/route.ts'
import { importSession } from './import-session.ts'

export const importRoutes = [route(api.imports.importSession, importSession)]
