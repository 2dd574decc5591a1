/** Copies a text and remembers for a moment that it did. */
import { useEffect, useState } from 'react'

export function useCopying() {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), 3000)
    return () => clearTimeout(timer)
  }, [isCopied])

  /** False without a clipboard: there is no TLS, or it is refused. */
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
