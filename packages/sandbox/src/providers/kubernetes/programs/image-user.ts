/** The user of sandboxes, for images that name none, or root, or one that only their own files could tell apart. */
const defaultUser = 1000

/** The user that an image runs as: a number that is not root's. */
export function imageUser(named: string | null | undefined): number {
  return Number(/^(\d{1,9})(?::|$)/.exec(named ?? '')?.[1] ?? 0) || defaultUser
}
