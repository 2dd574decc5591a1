/**
 * Asks for the date of birth before adult content. A user who is younger is refused until their eighteenth
 * birthday. The question appears only when its answer is needed.
 */
import { type ReactNode, useRef, useState } from 'react'
import { adultAge, ageOn } from '../../../contract/age.ts'
import { lazyPart } from '../../parts.ts'
import { DialogPart } from '../../ui/dialog-part.tsx'
import { useCurrentUser } from './current-user.ts'

const AgeDialog = lazyPart(async () => (await import('./age-dialog.tsx')).AgeDialog)

export type AgeGate = {
  readonly isVerified: boolean
  /**
   * True for a user who said that they are younger. They are not asked again before their eighteenth
   * birthday.
   */
  readonly isRefused: boolean
  /**
   * Opens the dialog. Resolves to true when the age is confirmed, to false when it is refused or the dialog
   * closed.
   */
  readonly confirm: () => Promise<boolean>
  /** Render it in the page that uses the gate. */
  readonly dialog: ReactNode
}

export function useAgeGate(): AgeGate {
  const { data: user } = useCurrentUser()
  const [isAsking, setIsAsking] = useState(false)
  const answer = useRef<(isVerified: boolean) => void>(() => {})
  const end = (isVerified: boolean) => {
    setIsAsking(false)
    answer.current(isVerified)
  }
  const isVerified = user?.ageVerified ?? false
  const birthDate = user?.birthDate ?? null
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  const isRefused = !isVerified && birthDate !== null && ageOn(today, birthDate) < adultAge
  return {
    isVerified,
    isRefused,
    confirm: () => {
      setIsAsking(true)
      return new Promise((resolve) => (answer.current = resolve))
    },
    dialog: isAsking && (
      <DialogPart>
        <AgeDialog isRefused={isRefused} onEnd={end} />
      </DialogPart>
    ),
  }
}
