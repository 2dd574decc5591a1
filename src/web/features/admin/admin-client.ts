/** The service as only administrators call it: where that is stands in no script of anybody else's. */
import { createClient } from '../../../client/client.ts'
import { adminApi } from '../../../contract/admin-api.ts'

export const adminClient = createClient(adminApi)
