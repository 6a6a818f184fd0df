import { visibleText } from '@svc/facts'
import { memo, useEffect, useMemo, useState } from 'react'
import { Diff, Hunk, type HunkTokens, parseDiff } from 'react-diff-view'
import { diffTokens } from './diff-tokens.ts'
import { languageOf } from './language.ts'
import type { View } from './view.ts'

interface Props {
  readonly path: string
  readonly patch: string
  readonly view: View
}

/** The hunks of one file, with line numbers, colours and the words that changed. */
export const FileDiff = memo(function FileDiff({ path, patch, view }: Props) {
  const file = useMemo(() => parseDiff(visibleText(patch))[0], [patch])
  const [tokens, setTokens] = useState<HunkTokens | null>(null)
  useEffect(() => {
    let gone = false
    if (file !== undefined)
      void diffTokens(file.hunks, languageOf(path)).then((found) => {
        if (!gone) setTokens(found)
      })
    return () => {
      gone = true
    }
  }, [file, path])
  if (file === undefined) return null
  return (
    <div className="overflow-x-auto" role="group" aria-label={`Changes of ${path}`} tabIndex={0}>
      <Diff viewType={view} diffType={file.type} hunks={file.hunks} tokens={tokens} gutterType="default">
        {(hunks) => hunks.map((hunk) => <Hunk key={hunk.content} hunk={hunk} />)}
      </Diff>
    </div>
  )
})
