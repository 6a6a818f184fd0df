import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

interface Options<T, Which> {
  /** The query whose answer holds the switches. */
  readonly key: QueryKey
  readonly write: (which: Which, on: boolean) => PromiseLike<unknown>
  readonly apply: (answer: T, which: Which, on: boolean) => T
}

/**
 * Switches that show a change at once. One that the platform refuses goes back, beside the reason, and takes none of the
 * others with it.
 */
export function useSwitches<T, Which>({ key, write, apply }: Options<T, Which>) {
  const queries = useQueryClient()
  // A mutation keeps the error of the last switch alone, and an earlier one may be refused after it was pressed.
  const [error, setError] = useState<unknown>(null)
  const show = (which: Which, on: boolean) =>
    queries.setQueryData<T>(key, (answer) => (answer === undefined ? answer : apply(answer, which, on)))
  const change = useMutation({
    mutationKey: key,
    // One after another, in the order in which they were pressed.
    scope: { id: JSON.stringify(key) },
    mutationFn: ({ which, on }: { readonly which: Which; readonly on: boolean }) =>
      Promise.resolve(write(which, on)),
    onMutate: async ({ which, on }) => {
      show(which, on)
      // An answer on its way has the state of before.
      await queries.cancelQueries({ queryKey: key })
    },
    onError: (refused, { which, on }) => {
      setError(refused)
      show(which, !on)
    },
    // The last one reads what stands.
    onSettled: () =>
      queries.isMutating({ mutationKey: key }) === 1
        ? queries.invalidateQueries({ queryKey: key })
        : undefined,
  })
  const flip = (which: Which, on: boolean) => {
    setError(null)
    change.mutate({ which, on })
  }
  return { flip, error }
}
