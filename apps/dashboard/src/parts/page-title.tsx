import { useEffect, useRef } from 'react'

/**
 * The heading of a page, and its name in the tab. It takes the focus, so that a person who hears the page hears where
 * they are.
 */
export function PageTitle({ text }: { readonly text: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <title>{`${text} · svc`}</title>
      <h1 ref={heading} tabIndex={-1}>
        {text}
      </h1>
    </>
  )
}
