/** The filter of a list, stored in the query of the address. */
import { useSearchParams } from 'wouter'

/** `addressOf` returns the parameters of the filters that differ from the default. */
export function useAddressFilter<Filter extends object>(
  filterOf: (params: URLSearchParams) => Filter,
  addressOf: (filter: Filter) => URLSearchParams,
) {
  const [params, setParams] = useSearchParams()
  const filter = filterOf(params)
  const change = (part: Partial<Filter>) =>
    setParams(addressOf({ ...filter, ...part }), { replace: true })
  return { filter, change, isFiltered: addressOf(filter).size > 0 }
}
