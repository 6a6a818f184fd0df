import { commitShaPattern } from '@svc/facts'
import { ServiceError } from '@svc/errors'

/** Refuses a branch name that git check-ref-format refuses, before any process is started. */
export function isBranchName(name: string): boolean {
  if (name.length === 0 || Buffer.byteLength(name) > 244 || name === '@' || name === 'HEAD') return false
  if (name.startsWith('-') || name.startsWith('/') || name.endsWith('/') || name.endsWith('.')) return false
  if (/[\u0000-\u0020\u007f~^:?*[\\]/.test(name)) return false
  if (Buffer.from(name).toString('utf8') !== name) return false
  if (name.includes('..') || name.includes('@{') || name.includes('//')) return false
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
}

/** The full ref of a branch, or null for a name that cannot be one. */
export function branchRef(name: string): string | null {
  return isBranchName(name) ? `refs/heads/${name}` : null
}

/** Commits are passed by their full SHA: a name would be read anew at each step, an empty one would mean deletion. */
export function requireShas(...shas: readonly string[]): void {
  const wrong = shas.find((sha) => !isSha(sha) || sha === zeroSha)
  if (wrong !== undefined)
    throw new ServiceError(
      'invalid_request',
      `${JSON.stringify(wrong)} is not a commit SHA; give all 40 of its digits.`,
    )
}

export const isSha = (text: string): boolean => commitShaPattern.test(text)

export const zeroSha = '0'.repeat(40)
