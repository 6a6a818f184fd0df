import type { HarnessLicence } from '@svc/sdk/admin'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Harness } from '@svc/sdk'
import { Modal } from '../../../parts/dialog.tsx'
import { Failure } from '../../../parts/failure.tsx'
import { Loaded } from '../../../parts/loaded.tsx'
import { Moment } from '../../../parts/moment.tsx'
import { State } from '../../../parts/state.tsx'
import { toast } from '../../../parts/toast.tsx'
import { Id } from '../cells.tsx'
import { useAdmin } from '../use-admin.ts'

interface Props {
  readonly harness: Harness
  readonly onClose: () => void
}

/** The texts that have to be accepted before sessions get a harness. An acceptance names the hash of the text that was read. */
export function LicenceDialog({ harness: { name, title }, onClose }: Props) {
  const admin = useAdmin()
  const query = useQuery({
    queryKey: ['admin', 'harness-licence', name],
    queryFn: () => admin.harnesses.licence(name),
  })
  return (
    <Modal title={`Licence of ${title}`} open onOpenChange={onClose}>
      <p className="hint">
        Sessions start with {title} once each text is accepted, for the whole platform. A text that changes
        asks again.
      </p>
      <Loaded query={query}>
        {({ licences }) => licences.map((text) => <Text key={text.sha256} harness={name} text={text} />)}
      </Loaded>
      <div className="actions">
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Modal>
  )
}

interface TextProps {
  readonly harness: string
  readonly text: HarnessLicence['licences'][number]
}

function Text({ harness, text: { name, sha256, text, accepted_at, accepted_by } }: TextProps) {
  const admin = useAdmin()
  const queries = useQueryClient()
  const accept = useMutation({
    mutationFn: () => admin.harnesses.accept(harness, sha256),
    onSuccess: () => toast(`The licence of ${name} is accepted.`),
    // A text that changed meanwhile is shown as it is now.
    onSettled: () => queries.invalidateQueries({ queryKey: ['admin'] }),
  })
  return (
    <section aria-label={name} className="grid gap-2">
      <h3>{name}</h3>
      <pre className="block" tabIndex={0} role="group" aria-label={`Text of ${name}`}>
        {text}
      </pre>
      <p className="faint">
        SHA-256 <code>{sha256}</code>
      </p>
      {accepted_at === null ? (
        <div>
          <button
            type="button"
            className="button primary"
            disabled={accept.isPending}
            onClick={() => accept.mutate()}
          >
            {accept.isPending ? 'Accepting…' : 'Accept'}
          </button>
        </div>
      ) : (
        <p className="flex flex-wrap items-center gap-x-2 text-13">
          <State of="accepted" /> <Moment at={accepted_at} /> by <Id of={accepted_by} />
        </p>
      )}
      <Failure error={accept.error} />
    </section>
  )
}
