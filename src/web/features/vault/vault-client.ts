/** What only storage and trash call. */
import { createClient } from '../../../client/client.ts'
import { vaultApi } from '../../../contract/vault-api.ts'

export const vaultClient = createClient(vaultApi)
