/** What only the picture tools call. */
import { createClient } from '../../../client/client.ts'
import { studioApi } from '../../../contract/studio-api.ts'

export const studioClient = createClient(studioApi)

/** Where an enhanced picture comes from as a file; it has to be asked for by POST. */
export function enhancementDownloadAddress(id: number): string {
  return studioApi.enhancement.download.path.replace(':id', String(id))
}
