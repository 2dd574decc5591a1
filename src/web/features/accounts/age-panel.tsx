/** Shows whether the account may see adult content, with buttons to confirm the age and to withdraw it. */
import { useState } from 'react'
import { client } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Panel } from '../../ui/panel.tsx'
import { showToast } from '../../ui/toasts.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useAgeGate } from './use-age-gate.tsx'
import { words } from './words.ts'

export function AgePanel() {
  const age = useAgeGate()
  const queryClient = useQueryClient()
  const [isWithdrawing, setIsWithdrawing] = useState(false)

  async function withdraw() {
    await client.accounts.verifyAge({ body: { ageVerified: false } })
    // Content that was loaded for an adult must not stay visible.
    await queryClient.invalidateQueries()
    showToast({ text: words.ageWithdrawn })
  }

  return (
    <Panel title={words.adultContent}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-ink-2">
          {age.isVerified && words.ageConfirmed}
          {age.isRefused && words.ageRefused}
          {!age.isVerified && !age.isRefused && words.ageUnknown}
        </p>
        {age.isVerified && (
          <Button look="line" onClick={() => setIsWithdrawing(true)}>
            {words.withdrawAge}
          </Button>
        )}
        {!age.isVerified && !age.isRefused && (
          <Button look="line" onClick={() => void age.confirm()}>
            {words.confirmAge}
          </Button>
        )}
      </div>
      {age.dialog}
      {isWithdrawing && (
        <ConfirmDialog
          question={words.askWithdrawAge}
          consequence={words.withdrawAgeConsequence}
          keep={words.keepOpen}
          action={words.withdrawAge}
          run={withdraw}
          onClose={() => setIsWithdrawing(false)}
        />
      )}
    </Panel>
  )
}
