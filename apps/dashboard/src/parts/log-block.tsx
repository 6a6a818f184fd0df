import { useLayoutEffect, useRef } from 'react'

interface Props {
  readonly label: string
  readonly lines: readonly string[]
}

const nearPx = 24

/** Lines that grow: the end stays in sight until the reader scrolls up, and again once they are back at it. */
export function LogBlock({ label, lines }: Props) {
  const block = useRef<HTMLPreElement>(null)
  const atEnd = useRef(true)
  const text = lines.join('\n')
  useLayoutEffect(() => {
    if (block.current !== null && atEnd.current) block.current.scrollTop = block.current.scrollHeight
  }, [text])
  return (
    <pre
      ref={block}
      className="block"
      tabIndex={0}
      role="group"
      aria-label={label}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < nearPx
      }}
    >
      {text}
    </pre>
  )
}
