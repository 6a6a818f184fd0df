import type { Channel } from '@svc/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Modal } from '../../../parts/dialog.tsx'
import { Failure } from '../../../parts/failure.tsx'
import { toast } from '../../../parts/toast.tsx'
import { useClient } from '../../../sign-in/signed-in.tsx'
import { problemsOf } from '../connect/problems.ts'
import { SecretFields } from '../connect/secret-fields.tsx'
import {
  type ChatTransport,
  credentialsOf,
  lacksSecret,
  neededSecrets,
  noSecrets,
  secretPaths,
} from '../connect/secrets.ts'

interface Props {
  readonly channel: Channel
  readonly transport: ChatTransport
  readonly onClose: () => void
}

/** Gives a channel new secrets. They are tried first; those that it has go only then. */
export function CredentialsDialog({ channel: { project_id, slug }, transport, onClose }: Props) {
  const { channels } = useClient().projects
  const queries = useQueryClient()
  const [secrets, setSecrets] = useState(noSecrets)
  const save = useMutation({
    mutationFn: () => channels.update(project_id, slug, { credentials: credentialsOf(transport, secrets) }),
    onSuccess: async () => {
      setSecrets(noSecrets)
      toast('The channel has its new credentials.')
      onClose()
      await queries.invalidateQueries({ queryKey: ['channels', project_id] })
    },
  })
  const problems = problemsOf(save.error, {
    fields: secretPaths(transport),
    conflict: `credentials.${neededSecrets[transport][0]}`,
  })
  return (
    <Modal title="New credentials" open onOpenChange={(open) => open || onClose()}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!save.isPending) save.mutate()
        }}
      >
        <p className="hint">
          Of the same {transport === 'sync' ? 'homeserver' : 'workspace'}. They are tried first, then sealed;
          no page shows them.
        </p>
        <SecretFields transport={transport} value={secrets} onChange={setSecrets} problems={problems} />
        <Failure error={problems.rest} />
        <p>
          <button
            type="submit"
            className="button primary"
            disabled={save.isPending || lacksSecret(transport, secrets)}
          >
            {save.isPending ? 'Trying them…' : 'Replace'}
          </button>
        </p>
      </form>
    </Modal>
  )
}
