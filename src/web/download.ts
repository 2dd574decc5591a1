/**
 * Takes a file of the service, which the browser keeps and no page shows. It is asked about first:
 * a refusal is told on the page, and not saved as if it were the file.
 */
import { ApiProblem } from '../client/client.ts'
import { words } from './requests/words.ts'

export async function download(address: string): Promise<void> {
  const { ok, status, headers } = await fetch(address, { method: 'HEAD' })
  if (!ok) throw new ApiProblem({ status, headers, body: { message: reasonOf(status) } })
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}

/** The same for a file that no plain link can ask for, by POST or with headers: the page loads it first. */
export async function downloadByRequest(
  address: string,
  name: string,
  request: RequestInit,
): Promise<void> {
  const response = await fetch(address, request)
  const { ok, status, headers } = response
  if (!ok) throw new ApiProblem({ status, headers, body: { message: reasonOf(status) } })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = name
  link.click()
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** An answer to HEAD has no words of its own. */
function reasonOf(status: number): string {
  if (status === 401) return 'Unauthorized'
  if (status === 429) return words.downloadsUnderWay
  return status >= 500 ? words.noDownload : words.downloadGone
}
