/** What only the pages call on which credits are paid for. */
import { createClient } from '../../../client/client.ts'
import { paymentsApi } from '../../../contract/payments-api.ts'

export const paymentsClient = createClient(paymentsApi)
