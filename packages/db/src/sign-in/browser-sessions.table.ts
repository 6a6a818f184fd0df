import type { Selectable } from 'kysely'

export const browserSources = ['sign_in', 'app', 'token'] as const
export type BrowserSource = (typeof browserSources)[number]

/** A browser that is signed in. It has the power of what it was opened with, and ends with that. */
export interface BrowserSessionTable {
  browser_session_id: string
  user_id: string
  cookie_hash: Buffer
  page_key_hash: Buffer
  source: BrowserSource
  /** The one of these that is the source; the others are null. */
  sign_in_id: string | null
  token_id: string | null
  /** The approval of an app, with the client and the scopes that it was given to. */
  grant_hash: Buffer | null
  client_id: string | null
  scope: string | null
  /** True for 30 days of rest, false for 12 hours. */
  keep: boolean
  user_agent: string | null
  created_at: Date
  last_seen_at: Date
  expires_at: Date
}

export type BrowserSessionRow = Selectable<BrowserSessionTable>
