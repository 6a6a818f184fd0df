/** Settings and history of a repository are never shipped, and no build sees them. */
export function isPrivate(path: string): boolean {
  return path.split('/').some((part) => part === '.git' || /^\.env(\..*)?$/.test(part))
}
