import type { LucideIcon } from 'lucide-react'

/** A place of the navigation. `to` has `$project_id` in the section of a project. */
export interface NavEntry {
  readonly section: 'main' | 'project' | 'account'
  readonly label: string
  readonly icon: LucideIcon
  readonly order: number
  readonly to: string
  /** Kinds of the inbox that are counted beside it. */
  readonly counts?: readonly string[]
  /** The number of unread notifications is beside it. */
  readonly unread?: true
  /** Shown to platform admins alone. */
  readonly admin?: true
}

/** A line of the command palette, and its keys anywhere. */
export interface Command {
  readonly label: string
  readonly to: string
  /** Two keys after one another, as `g s`. */
  readonly keys?: string
}
