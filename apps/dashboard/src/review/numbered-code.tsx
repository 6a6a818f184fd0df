import { counted, visibleText } from '@svc/facts'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { classOf, useHighlight } from './highlight.ts'

export interface LineNote {
  readonly line: number
  readonly tone: 'bad' | 'warn'
  readonly text: string
}

interface Props {
  readonly label: string
  readonly text: string
  readonly language: string | null
  /** Notes on single lines, below them. */
  readonly notes: readonly LineNote[]
  /** The line to show first. */
  readonly chosen: number | null
}

const maxLines = 5_000

/** Code with the numbers of its lines. */
export function NumberedCode({ label, text: raw, language, notes, chosen }: Props) {
  const text = visibleText(raw)
  const lines = text.replace(/\n$/, '').split('\n')
  const coloured = useHighlight(text, language)
  const shown = useRef<HTMLTableRowElement>(null)
  useEffect(() => shown.current?.scrollIntoView({ block: 'center' }), [chosen])
  return (
    <div className="rows overflow-x-auto!" role="group" aria-label={label} tabIndex={0}>
      <table className="diff" role="presentation">
        <colgroup>
          <col className="diff-gutter-col" />
          <col />
        </colgroup>
        <tbody>
          {lines.slice(0, maxLines).map((line, index) => (
            <LineRow
              key={index}
              number={index + 1}
              notes={notes.filter((note) => note.line === index + 1)}
              chosen={chosen === index + 1}
              anchor={chosen === index + 1 ? shown : null}
            >
              {coloured[index]?.map(([part, kind], at) => (
                <span key={at} className={classOf(kind)}>
                  {part}
                </span>
              )) ?? line}
            </LineRow>
          ))}
        </tbody>
      </table>
      {lines.length > maxLines && (
        <p className="hint p-3">… {counted(lines.length - maxLines, 'line')} more</p>
      )}
    </div>
  )
}

interface RowProps {
  readonly number: number
  readonly notes: readonly LineNote[]
  readonly chosen: boolean
  readonly anchor: RefObject<HTMLTableRowElement | null> | null
  readonly children: ReactNode
}

function LineRow({ number, notes, chosen, anchor, children }: RowProps) {
  return (
    <>
      <tr ref={anchor} className={chosen || notes.length > 0 ? 'bg-warn-bg' : ''}>
        <td className="diff-gutter">{number}</td>
        <td className="diff-code">{children}</td>
      </tr>
      {notes.map(({ text, tone }) => (
        <tr key={text}>
          <td />
          <td className={`px-3 py-1 font-sans tone-${tone}`}>{text}</td>
        </tr>
      ))}
    </>
  )
}
