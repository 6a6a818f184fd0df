import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure } from './failure.tsx'

interface Props<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isPending'>
  readonly children: (data: T) => ReactNode
}

/** The data that was read; an error stands above what was there before. */
export function Loaded<T>({ query, children }: Props<T>) {
  return (
    <>
      <Failure error={query.error} />
      {query.isPending && <p role="status">Loading…</p>}
      {query.data !== undefined && children(query.data)}
    </>
  )
}
