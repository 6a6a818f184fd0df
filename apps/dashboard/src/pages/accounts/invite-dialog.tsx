import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Copy } from '../../parts/copy.tsx'
import { Modal } from '../../parts/dialog.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field, Select } from '../../parts/field.tsx'
import { invitationLink } from '../invitations/link.ts'
import { useClient } from '../../sign-in/signed-in.tsx'

interface Props {
  readonly account_id: string
  readonly onClose: () => void
  readonly onMade: () => Promise<void>
}

const roles = ['member', 'admin', 'owner'] as const

export function InviteDialog({ account_id, onClose, onMade }: Props) {
  const { accounts } = useClient()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<(typeof roles)[number]>('member')
  const invite = useMutation({
    mutationFn: () => accounts.invitations.create(account_id, { email: email.trim(), role }),
    onSuccess: onMade,
  })
  return (
    <Modal title="Invite" open onOpenChange={(open) => open || onClose()}>
      {invite.data === undefined ? (
        <form
          className="grid gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            invite.mutate()
          }}
        >
          <Field label="Email" type="email" required autoFocus value={email} onChange={setEmail} />
          <Select
            label="Role"
            value={role}
            onChange={(next) => setRole(roles.find((one) => one === next) ?? 'member')}
            options={roles.map((one) => [one, one] as const)}
          />
          <Failure error={invite.error} />
          <p>
            <button type="submit" className="button primary" disabled={invite.isPending}>
              Send invitation
            </button>
          </p>
        </form>
      ) : (
        <>
          <p>
            {invite.data.email} is invited. Hand this link over: it joins once, within seven days, and for
            that address alone. In a terminal <code>svc accounts join</code> takes the part after the{' '}
            <code>=</code>.
          </p>
          <Field
            label="Invitation"
            value={invitationLink(invite.data.token)}
            onChange={() => undefined}
            readOnly
          />
          <div className="actions">
            <Copy text={invitationLink(invite.data.token)} />
            <button type="button" className="button" onClick={onClose}>
              Done
            </button>
          </div>
        </>
      )}
    </Modal>
  )
}
