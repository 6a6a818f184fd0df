/** Who works on one side of a session. The fence grows with every claim and never falls. */
export interface SessionClaimTable {
  session_id: string
  work: 'sandbox' | 'prompts'
  fence: number
  backend_pid: number
  /** The last sign of life of whoever works. */
  beat_at: Date
}
