/** Copies a text and reports success for three seconds. */
import { useEffect, useState } from 'react'

export function useCopying() {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), 3000)
    return () => clearTimeout(timer)
  }, [isCopied])

  /** Returns false without a clipboard: the page has no TLS, or the browser refuses. */
  async function copy(text: string): Promise<boolean> {
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      return false
    }
    setIsCopied(true)
    return true
  }
  return { isCopied, copy }
}
