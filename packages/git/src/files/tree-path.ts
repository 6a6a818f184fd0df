import { ServiceError } from '@svc/errors'

/** A path inside a tree: relative, without empty, `.` or `..` parts, which git itself never stores. */
export function treePath(path: string): string {
  const parts = path.replace(/^\/+/, '').split('/')
  const bad = parts.some((part) => part === '' || part === '.' || part === '..') || path.includes('\0')
  if (bad)
    throw new ServiceError(
      'invalid_request',
      `${JSON.stringify(path)} is not a path of a repository; give one without .. and without a slash at its beginning.`,
    )
  return parts.join('/')
}
