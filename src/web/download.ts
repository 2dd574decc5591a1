/**
 * Downloads a file of the service, which the browser saves. It sends a HEAD request first, so that the page
 * shows a refusal instead of saving it as the file.
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

/** Downloads a file that needs POST or headers, which a plain link cannot send. The page loads it first. */
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
  // By then the browser has started to save it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Returns the reason, because a response to HEAD has no body. */
function reasonOf(status: number): string {
  if (status === 401) return 'Unauthorized'
  if (status === 429) return words.downloadsUnderWay
  return status >= 500 ? words.noDownload : words.downloadGone
}
