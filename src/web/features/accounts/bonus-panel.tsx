/** The daily bonus, once a day of the UTC calendar. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { client, explain } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'

export function BonusPanel() {
  const queryClient = useQueryClient()
  const { data: bonus } = useQuery({
    queryKey: ['account', 'bonus'],
    queryFn: () => client.credits.bonusStatus(),
  })
  const outcome = useRef<HTMLParagraphElement>(null)
  const claim = useMutation({
    mutationFn: () => client.credits.claimBonus(),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['current-user'] }),
        queryClient.invalidateQueries({ queryKey: ['account'] }),
      ]),
  })
  if (!bonus)
    return (
      <Panel title="Daily bonus">
        <Waiting label="Loading the bonus">
          <Skeleton className="mb-3 h-5 w-2/3" />
          <Skeleton className="h-10 max-sm:h-11" />
        </Waiting>
      </Panel>
    )
  return (
    <Panel
      title="Daily bonus"
      aside={<span className="text-xs text-ink-3">{bonus.amount} credits a day</span>}
    >
      <p ref={outcome} tabIndex={-1} className="mb-3 text-sm text-ink-2 outline-none">
        {streakOf(bonus.streak)}
      </p>
      {bonus.available ? (
        <Button
          className="w-full"
          isBusy={claim.isPending}
          // The button is gone then, and what came of it stands for it.
          onClick={() => claim.mutate(undefined, { onSuccess: () => outcome.current?.focus() })}
        >
          Claim today’s {bonus.amount}
        </Button>
      ) : (
        <p className="min-h-10 text-sm text-ink-3 max-sm:min-h-11">
          The next one from{' '}
          {new Date(bonus.nextClaimAt).toLocaleString('en-GB', {
            day: 'numeric',
            month: 'short',
            hour: '2-digit',
            minute: '2-digit',
          })}
        </p>
      )}
      <Failure text={claim.error && explain(claim.error)} />
    </Panel>
  )
}

function streakOf(days: number): string {
  if (days === 0) return 'Come by every day and take it.'
  return days === 1 ? 'Taken once so far.' : `Taken ${days} days in a row.`
}
