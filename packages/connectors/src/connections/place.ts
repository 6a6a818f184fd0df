/** Whose a connection is: the project's, or one person's own. */
export const scopeOf = ({ user_id }: { readonly user_id: string | null }): 'project' | 'personal' =>
  user_id === null ? 'project' : 'personal'

/** The place of a connection's credential: no other row opens it. */
export const credentialName = (connection_id: string): string => `connection/${connection_id}`
