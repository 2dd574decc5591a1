/**
 * The first way in: a passkey, by its button or from what the browser suggests in the address field.
 * What talks to the browser comes after the page, so that nobody waits for it who types.
 */
import { useEffect, useEffectEvent, useState } from 'react'
import { explain } from '../../api.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { useArrival } from './account-form.tsx'
import { words } from './words.ts'

const browser = () => import('../security/passkey-browser.ts')

/** A challenge lives five minutes; what is suggested is asked for anew before it ends. */
const suggestAgainMs = 4 * 60 * 1000

export function PasskeyWayIn() {
  const arrive = useArrival()
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const enter = useEffectEvent(arrive)

  useEffect(() => {
    let isGone = false
    async function suggest() {
      const { hasAutofill, signInWithPasskey } = await browser()
      if (!(await hasAutofill()) || isGone) return
      // One that is overtaken, by the button or by the next one, ends without a word.
      if (await signInWithPasskey({ fromAutofill: true })) enter()
    }
    const suggestOrSay = () =>
      void suggest().catch((error: unknown) => !isGone && setFailure(explain(error)))
    suggestOrSay()
    const timer = setInterval(suggestOrSay, suggestAgainMs)
    return () => {
      isGone = true
      clearInterval(timer)
      void browser().then(({ stopSuggesting }) => stopSuggesting())
    }
  }, [])

  async function choose() {
    setFailure(null)
    setIsBusy(true)
    try {
      const { signInWithPasskey } = await browser()
      if (await signInWithPasskey({ fromAutofill: false })) return arrive()
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
