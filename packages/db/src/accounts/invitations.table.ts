import type { AccountRole } from '@svc/access'
import type { Selectable } from 'kysely'

export interface InvitationTable {
  invitation_id: string
  account_id: string
  email: string
  role: AccountRole
  token_hash: Buffer
  invited_by: string
  created_at: Date
  expires_at: Date
  accepted_at: Date | null
  accepted_by: string | null
  revoked_at: Date | null
}

export type InvitationRow = Selectable<InvitationTable>
