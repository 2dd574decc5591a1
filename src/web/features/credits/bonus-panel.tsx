/** The daily bonus, once a day of the UTC calendar. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { client, explain } from '../../api.ts'
import { keys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { formatDayMonthTime } from '../../words/figures.ts'
import { words } from './words.ts'

export function BonusPanel() {
  const queryClient = useQueryClient()
  const { data: bonus } = useQuery({
    queryKey: keys.account.bonus,
    queryFn: () => client.credits.bonusStatus(),
  })
  const outcome = useRef<HTMLParagraphElement>(null)
  const claim = useMutation({
    mutationFn: () => client.credits.claimBonus(),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.currentUser }),
        queryClient.invalidateQueries({ queryKey: keys.account.all }),
      ]),
  })
  if (!bonus)
    return (
      <Panel title={words.bonus}>
        <Waiting label={words.bonusLoading}>
          <Skeleton className="mb-3 h-5 w-2/3" />
          <Skeleton className="h-10 max-sm:h-11" />
        </Waiting>
      </Panel>
    )
  return (
    <Panel
      title={words.bonus}
      aside={
        <span className="text-xs text-ink-3">{words.bonusAmount({ count: bonus.amount })}</span>
      }
    >
      <p ref={outcome} tabIndex={-1} className="mb-3 text-sm text-ink-2 outline-none">
        {bonus.streak === 0 ? words.bonusNeverTaken : words.bonusStreak({ count: bonus.streak })}
      </p>
      {bonus.available ? (
        <Button
          className="w-full"
          isBusy={claim.isPending}
          // The button disappears, so the result takes the focus.
          onClick={() => claim.mutate(undefined, { onSuccess: () => outcome.current?.focus() })}
        >
          {words.bonusClaim({ amount: bonus.amount })}
        </Button>
      ) : (
        <p className="min-h-10 text-sm text-ink-3 max-sm:min-h-11">
          {words.bonusNext({ moment: formatDayMonthTime(new Date(bonus.nextClaimAt)) })}
        </p>
      )}
      <Failure text={claim.error && explain(claim.error)} />
    </Panel>
  )
}
