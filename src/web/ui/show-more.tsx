/** The end of a list that goes on: the next page comes below what is there. */
import { Button } from './button.tsx'
import { words } from './words.ts'

export function ShowMore({
  list,
}: {
  list: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
}) {
  if (!list.hasNextPage) return null
  return (
    <Button
      className="mx-auto mt-8"
      isBusy={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {words.showMore}
    </Button>
  )
}
