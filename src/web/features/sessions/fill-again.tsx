/** The reason of a failed fill, and a button that retries it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CloudOff } from 'lucide-react'
import { client } from '../../api.ts'
import { usePaidCall } from '../../paid-call.ts'
import { Button } from '../../ui/button.tsx'
import { showFailure } from '../../ui/toasts.tsx'
import { useRefreshUser } from '../accounts/current-user.ts'
import { usePrice } from '../accounts/prices.ts'
import { translatedFill } from './fill-words.ts'
import { keepSession, type Session } from './session-data.ts'
import { words } from './words.ts'

export function FillFailed({ session }: { session: Session }) {
  const refill = useRefill(session)
  const price = usePrice('session_create')
  // A fill that failed without any slide was refunded, so a retry costs the price again.
  const cost = session.mediaCount === 0 && price ? words.price({ count: price }) : undefined
  return (
    <div className="absolute inset-0 grid place-content-center justify-items-center gap-2 px-3 text-center">
      <CloudOff size={18} aria-hidden="true" className="text-ink-3" />
      <p className="text-xs text-balance text-ink-2">
        {session.fillError === null ? words.fillingFailed : translatedFill(session.fillError)}
      </p>
      <Button
        look="line"
        size="small"
        price={cost}
        isBusy={refill.isPending}
        onClick={() => refill.mutate(undefined, { onError: showFailure })}
      >
        {words.fillAgain}
      </Button>
    </div>
  )
}

export function useRefill(session: Session) {
  const queryClient = useQueryClient()
  const refreshUser = useRefreshUser()
  const pay = usePaidCall()
  return useMutation({
    mutationFn: () => pay({ params: { id: String(session.id) } }, client.sessions.refill),
    onSuccess: async (filling) => {
      keepSession(queryClient, filling)
      await refreshUser()
    },
  })
}
