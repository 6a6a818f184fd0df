/** The worker on one side of a session. The fence grows with every claim and never falls. */
export interface SessionClaimTable {
  session_id: string
  work: 'sandbox' | 'prompts'
  fence: number
  backend_pid: number
  /** The worker's last sign of life. */
  beat_at: Date
}
