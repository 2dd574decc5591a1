/**
 * Signs in with a passkey, by a button or from the browser's suggestions in the email field. The passkey code
 * loads after the page, so that it does not delay typing.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { explain } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useArrival } from './account-form.tsx'
import { words } from './words.ts'

const browser = () => import('../security/passkey-browser.ts')

/** A challenge expires after five minutes. The suggestion requests a new one before that. */
const suggestAgainMs = 4 * 60 * 1000

export function PasskeySignIn() {
  const arrive = useArrival()
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  /**
   * True while a passkey is verified, after it was accepted, and after the page is closed. A passkey from the
   * other source is then ignored.
   */
  const isOver = useRef(false)

  /** Returns false when the user chose no passkey. */
  async function enter({ fromAutofill }: { fromAutofill: boolean }): Promise<boolean> {
    const { askForPasskey, signInWithPasskey } = await browser()
    const chosen = await askForPasskey({ fromAutofill, isOver: () => isOver.current })
    if (isOver.current) return true
    if (!chosen) return false
    isOver.current = true
    try {
      await signInWithPasskey(chosen)
    } catch (error) {
      isOver.current = false
      throw error
    }
    arrive()
    return true
  }

  const suggest = useEffectEvent(async () => {
    const { hasAutofill } = await browser()
    // A suggestion that the button or the next suggestion replaces ends silently.
    if ((await hasAutofill()) && !isOver.current) await enter({ fromAutofill: true })
  })

  useEffect(() => {
    isOver.current = false
    const suggestOrSay = () =>
      void suggest().catch((error: unknown) => {
        setFailure(explain(error))
        setIsBusy(false)
      })
    suggestOrSay()
    const timer = setInterval(suggestOrSay, suggestAgainMs)
    return () => {
      isOver.current = true
      clearInterval(timer)
      void browser().then(({ stopSuggesting }) => stopSuggesting())
    }
  }, [])

  async function choose() {
    setFailure(null)
    setIsBusy(true)
    try {
      if (await enter({ fromAutofill: false })) return
      setFailure(words.noPasskeyUsed)
    } catch (error) {
      setFailure(explain(error))
    }
    setIsBusy(false)
  }

  return (
    <div className="mt-6 grid gap-4">
      <Failure text={failure} />
      <Button look="line" size="big" isBusy={isBusy} onClick={() => void choose()}>
        {words.signInWithPasskey}
      </Button>
    </div>
  )
}
