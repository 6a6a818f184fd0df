import type { TokenPrefix } from '@svc/access'
import type { PreviewState } from '@svc/session'
import type { Selectable } from 'kysely'

/** A port of a sandbox at a host name of its own. */
export interface PreviewTable {
  /** The first label of its host name. */
  label: string
  session_id: string
  port: number
  user_id: string
  /** The credential that it was asked for with: access is decided from it at each request. */
  credential_prefix: TokenPrefix
  credential_hash: Buffer
  /** `ticket` until its address is opened. */
  state: PreviewState
  /** Of the ticket, or of the cookie that it was given for. */
  secret_hash: Buffer
  created_at: Date
  expires_at: Date
}

export type PreviewRow = Selectable<PreviewTable>
