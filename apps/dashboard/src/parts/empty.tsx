import type { ReactNode } from 'react'

/** Nothing is here, and what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <p>{title}</p>
      {children}
    </div>
  )
}
