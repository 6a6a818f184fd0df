import { visibleText } from '@svc/facts'
import type { DiffFile } from '@svc/sdk'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { Copy } from '../parts/copy.tsx'

interface Props {
  readonly file: DiffFile
  readonly open: boolean
  readonly onTurn: () => void
  readonly viewed: boolean
  readonly onViewed: ((viewed: boolean) => void) | undefined
}

/** The line above the hunks of a file, which stays while they are read. */
export function FileHead({ file, open, onTurn, viewed, onViewed }: Props) {
  const { path, old_path, status } = file
  return (
    <div className="card-head sticky top-0 z-2 bg-n2">
      <button
        type="button"
        className="button quiet icon small"
        aria-expanded={open}
        aria-label={`${open ? 'Fold' : 'Unfold'} ${path}`}
        onClick={onTurn}
      >
        {open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
      </button>
      <h2 className="min-w-0 font-mono text-12 font-medium" dir="auto">
        {old_path !== null && old_path !== path && `${visibleText(old_path)} → `}
        {visibleText(path)}
      </h2>
      <Stat additions={file.additions} deletions={file.deletions} />
      {status !== 'modified' && <span className="chip">{status}</span>}
      <Copy text={path} label="Copy path" />
      {onViewed !== undefined && (
        <label className="check ml-auto">
          <input
            type="checkbox"
            aria-label="Viewed"
            checked={viewed}
            onChange={({ target }) => onViewed(target.checked)}
          />
          Viewed
        </label>
      )}
    </div>
  )
}

/** The numbers of lines that came and went. */
export function Stat({ additions, deletions }: { readonly additions: number; readonly deletions: number }) {
  return (
    <span className="inline-flex gap-2 font-mono text-12 whitespace-nowrap">
      <span className="tone-ok">+{additions}</span>
      <span className="tone-bad">−{deletions}</span>
    </span>
  )
}
