/** The place of a session in its tree. */
export interface TreeMember {
  readonly session_id: string
  /** The first of the tree first, the parent last. */
  readonly ancestor_session_ids: readonly string[]
}

/** The first session of a session's tree. Sessions that agents start are of the tree of the session that started them. */
export function treeOf({ session_id, ancestor_session_ids }: TreeMember): string {
  return ancestor_session_ids[0] ?? session_id
}

/** True when `session` is the one that `session_id` names, or was started by it or by one that it started. */
export function isSelfOrDescendant(session: TreeMember, session_id: string): boolean {
  return session.session_id === session_id || session.ancestor_session_ids.includes(session_id)
}

/** The line of parents of a session that this one starts. */
export function lineOf({ session_id, ancestor_session_ids }: TreeMember): readonly string[] {
  return [...ancestor_session_ids, session_id]
}
