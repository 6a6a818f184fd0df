import type { ReactNode } from 'react'

/** A notice that there is nothing, with the next step. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <p>{title}</p>
      {children}
    </div>
  )
}
