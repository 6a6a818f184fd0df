import { ChevronRight } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Loading } from '../parts/loaded.tsx'
import { Stat } from '../review/file-head.tsx'
import type { ToolDiff } from './tool-diffs.ts'

const FileDiff = lazy(async () => ({ default: (await import('../review/file-diff.tsx')).FileDiff }))

/** Changes of files by one call; each file is folded where there are several. */
export function ToolDiffs({ diffs }: { readonly diffs: readonly ToolDiff[] }) {
  return diffs.map((diff) => <OneFile key={diff.path} diff={diff} alone={diffs.length === 1} />)
}

function OneFile({ diff, alone }: { readonly diff: ToolDiff; readonly alone: boolean }) {
  const { path, patches, additions, deletions, truncated } = diff
  const [open, setOpen] = useState(alone)
  return (
    <section className="overflow-clip rounded-m border border-n6" aria-label={path}>
      <div className="flex items-center gap-2 bg-n2 pr-3">
        <button
          type="button"
          className="button quiet small min-w-0 flex-1 justify-start! text-left whitespace-normal!"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <ChevronRight aria-hidden className={open ? 'rotate-90' : ''} />
          <code className="min-w-0 font-normal" dir="auto">
            {path}
          </code>
        </button>
        <Stat additions={additions} deletions={deletions} />
      </div>
      {open && (
        <div className="grid gap-2 border-t border-n6">
          <Suspense fallback={<Loading />}>
            {patches.map((patch, index) => (
              <FileDiff key={index} path={path} patch={patch} view="unified" />
            ))}
          </Suspense>
          {truncated && (
            <p className="hint px-3 py-2">The change is too large to show here: Changes has all of it.</p>
          )}
          {patches.length === 0 && !truncated && <p className="hint px-3 py-2">No line differs.</p>}
        </div>
      )}
    </section>
  )
}
