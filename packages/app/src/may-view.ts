import type { AccessMode, ChannelKind } from './states.ts'

/** A person whom the platform knows, as they are to one app. */
export interface KnownViewer {
  /** Holds `project.app.read`. */
  readonly reads: boolean
  /** Holds `project.app.write`. */
  readonly writes: boolean
  /** Named by the app's own list, in person or with a group. */
  readonly listed: boolean
}

/** `password`: a visitor who gave it, and nothing else is known of them. */
export type Viewer = KnownViewer | 'password' | null

/** The mode that counts for a channel: a preview shows what was not reviewed, and never to strangers. */
export function modeOf(mode: AccessMode, kind: ChannelKind): AccessMode {
  return kind === 'preview' && (mode === 'public' || mode === 'password') ? 'project' : mode
}

/** Whether a viewer may look at an app of this mode. Who may change the app may always look. */
export function mayView(mode: AccessMode, viewer: Viewer): boolean {
  if (mode === 'public') return true
  if (viewer === null) return false
  if (viewer === 'password') return mode === 'password'
  if (viewer.writes) return true
  if (mode === 'project') return viewer.reads
  return mode === 'restricted' && viewer.listed
}
