/** What only the pages call that tell of credits and sell them. */
import { createClient } from '../../../client/client.ts'
import { creditsApi } from '../../../contract/credits-api.ts'

export const creditsClient = createClient(creditsApi)
