import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
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
      {query.isPending && <Loading />}
      {query.data !== undefined && children(query.data)}
    </>
  )
}

const delayMs = 200

/** Said only where it takes long enough to be read. */
export function Loading({ what = 'Loading…' }: { readonly what?: string }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const due = setTimeout(() => setLate(true), delayMs)
    return () => clearTimeout(due)
  }, [])
  return (
    <p role="status" className="hint">
      {late ? what : ''}
    </p>
  )
}
