/**
 * The kinds of work that rows can owe, whatever the queue holds: of a session, of a merge, of an edit of the manifest, of a
 * trigger. One list for the operator's surface, the metrics, the dashboards and the alerts.
 */
export const workKinds = [
  'provision',
  'deliver',
  'stop',
  'destroy',
  'secrets',
  'checkpoint',
  'merge',
  'edit',
  'fire',
] as const

export type WorkKind = (typeof workKinds)[number]
