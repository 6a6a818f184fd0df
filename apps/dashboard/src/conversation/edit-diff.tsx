import { useMemo } from 'react'
import { classOf, useHighlight } from '../review/highlight.ts'
import { languageOf } from '../review/language.ts'

interface Props {
  readonly path: string
  readonly before: string
  readonly after: string
}

const shownLines = 200

/** A change by an agent in one place: the lines that were removed, and those that were added. */
export function EditDiff({ path, before, after }: Props) {
  const language = languageOf(path)
  const old = useHighlight(before, before === '' ? null : language)
  const now = useHighlight(after, language)
  const removed = useMemo(() => linesOf(before), [before])
  const added = useMemo(() => linesOf(after), [after])
  return (
    <pre className="block" tabIndex={0} role="group" aria-label={`Change of ${path}`}>
      {removed.slice(0, shownLines).map((line, index) => (
        <span key={`-${index}`} className="line bg-del-bg whitespace-pre-wrap">
          {'− '}
          {old[index]?.map(([text, kind], at) => (
            <span key={at} className={classOf(kind)}>
              {text}
            </span>
          )) ?? line}
        </span>
      ))}
      {added.slice(0, shownLines).map((line, index) => (
        <span key={`+${index}`} className="line bg-add-bg whitespace-pre-wrap">
          {'+ '}
          {now[index]?.map(([text, kind], at) => (
            <span key={at} className={classOf(kind)}>
              {text}
            </span>
          )) ?? line}
        </span>
      ))}
      {Math.max(removed.length, added.length) > shownLines && '… more lines'}
    </pre>
  )
}

function linesOf(text: string): readonly string[] {
  if (text === '') return []
  return text.replace(/\n$/, '').split('\n')
}
