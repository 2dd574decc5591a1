/** The button with which a guest downloads the session of a link as a zip. */
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { shareHeaders } from '../../../client/client.ts'
import { sharedExportAddress } from '../../api.ts'
import { download, downloadByRequest } from '../../download.ts'
import { Button } from '../../ui/button.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { words } from './words.ts'

export function DownloadShared({
  code,
  password,
  title,
}: {
  code: string
  password: string | null
  title: string
}) {
  const address = sharedExportAddress(code)
  const take = useMutation({
    mutationFn: () =>
      password === null
        ? download(address)
        : downloadByRequest(address, `${title}.zip`, { headers: shareHeaders({ password }) }),
    onError: showFailure,
  })
  return (
    <Button
      look="bare"
      size="big"
      icon={<Download size={18} aria-hidden="true" />}
      isBusy={take.isPending}
      onClick={() => take.mutate()}
    >
      {words.download}
    </Button>
  )
}
