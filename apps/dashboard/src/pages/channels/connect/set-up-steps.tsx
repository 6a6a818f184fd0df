import type { ReactNode } from 'react'

/** A step at the platform, with its title. */
export function Step({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <li>
      <h2>{title}</h2>
      <p className="text-13">{children}</p>
    </li>
  )
}

/** Texts to type or to choose as they are. */
export function Codes({ of }: { readonly of: readonly string[] }) {
  return of.map((one, index) => (
    <span key={one}>
      {index > 0 && ', '}
      <code>{one}</code>
    </span>
  ))
}
