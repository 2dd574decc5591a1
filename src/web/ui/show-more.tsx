/** The end of a paged list: loads the next page below it. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from './button.tsx'
import { words } from './words.ts'

type List = {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly fetchNextPage: () => Promise<unknown>
}

export function ShowMore({
  list,
  isEager = false,
}: {
  list: List
  /** Loads the next page as soon as the end of the list is visible. */
  isEager?: boolean
}) {
  if (!list.hasNextPage) return null
  return (
    <>
      {isEager && <End list={list} />}
      <Button
        className="mx-auto mt-8"
        isBusy={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {words.showMore}
      </Button>
    </>
  )
}

/** Observes again after every render: after a short page or a quick scroll the end may still be visible. */
function End({ list }: { list: List }) {
  const mark = useRef<HTMLDivElement>(null)
  const ask = useEffectEvent(() => {
    if (!list.isFetchingNextPage) void list.fetchNextPage()
  })
  useEffect(() => {
    const element = mark.current
    if (!element) return
    const sight = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) ask()
    })
    sight.observe(element)
    return () => sight.disconnect()
  })
  return <div ref={mark} aria-hidden="true" className="h-px" />
}
