/** What only the pages about the way into an account call. */
import { createClient } from '../../../client/client.ts'
import { securityApi } from '../../../contract/security-api.ts'

export const securityClient = createClient(securityApi)
