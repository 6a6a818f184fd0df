import { counted } from '@svc/facts'
import { Markdown } from '../../conversation/markdown.tsx'
import { ModelCost } from '../../money/model-cost.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Stat } from '../../review/file-head.tsx'
import { DeployedApps } from './apps.tsx'
import { mergeVerdict } from './merge-verdict.ts'
import { Obstacles } from './obstacles.tsx'
import { RequestedChanges } from './requested-changes.tsx'
import type { Shown } from './use-change-request.ts'

interface Props {
  readonly shown: Shown
  readonly wide: boolean
  readonly onRequestChanges: (text?: string) => void
}

/** Its description; where the context has no room of its own, the verdict on it as well. */
export function Overview({ shown, wide, onRequestChanges }: Props) {
  const { cr, diff, preview } = shown
  return (
    <div className="grid gap-4">
      {cr.description.trim() === '' ? (
        <p className="hint">It has no description.</p>
      ) : (
        <Markdown text={cr.description} />
      )}
      <p className="flex items-baseline gap-2 text-13">
        {counted(diff.files_changed, 'file')} <Stat {...diff} />
        <ModelCost usage={cr.cost} label="Cost " />
      </p>
      {cr.status === 'open' && (
        <p className="flex flex-wrap items-center gap-2 text-13">
          Its branch on your machine: <code>svc cr checkout {cr.number}</code>
          <Copy text={`svc cr checkout ${cr.number}`} />
        </p>
      )}
      {!wide && preview !== null && (
        <div className="card grid gap-3 p-3">
          <p>{mergeVerdict(preview).words}</p>
          <Obstacles shown={shown} onRequestChanges={onRequestChanges} />
        </div>
      )}
      {!wide && <DeployedApps cr={cr} />}
      {!wide && <RequestedChanges cr={cr} />}
    </div>
  )
}
