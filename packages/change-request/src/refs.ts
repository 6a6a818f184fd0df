/** A branch as people write it: surrounding space and a leading `refs/heads/` are not part of its name. */
export function branchName(ref: string): string {
  return ref.trim().replace(/^refs\/heads\//, '')
}

/** git check-ref-format for a branch, without asking git: a name that fails here is no branch anywhere. */
export function isBranchName(name: string): boolean {
  if (name.length === 0 || name.length > 244 || name === '@' || name === 'HEAD') return false
  if (name.startsWith('-') || name.startsWith('/') || name.endsWith('/') || name.endsWith('.')) return false
  if (/[\u0000-\u0020\u007f~^:?*[\\]/.test(name)) return false
  if (name.includes('..') || name.includes('@{') || name.includes('//')) return false
  return name.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock'))
}
