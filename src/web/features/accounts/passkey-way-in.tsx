/**
 * The first way in: a passkey, by its button or from what the browser suggests in the address field.
 * What talks to the browser comes after the page, so that nobody waits for it who types.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
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
  /** A passkey is being judged, was let in, or the page is left: one chosen the other way is let be. */
  const isOver = useRef(false)

  /** False where none was chosen. */
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
    // One that is overtaken, by the button or by the next one, ends without a word.
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
