const steps: Readonly<Record<string, string>> = {
  ENOENT: 'check the path: there is no such file or folder',
  EACCES: 'your user may not do that there: change the permissions, or choose another place',
  EPERM: 'your user may not do that there: change the permissions, or choose another place',
  EROFS: 'that place is read-only: choose another one',
  ENOSPC: 'the disk is full: make room on it',
  EISDIR: 'that is a folder: name a file',
  ENOTDIR: 'a part of the path is a file: check the path',
}

/** The next step after a file could not be read or written; undefined for any other cause. */
export function fileStep(cause: unknown): string | undefined {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? steps[code] : undefined
}
