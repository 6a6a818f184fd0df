const name = /^[A-Za-z0-9._=-]{1,255}$/

/** The key itself; one that could climb out of a folder, or that a store would change, throws. */
export function objectKey(key: string): string {
  const wrong = key.split('/').some((part) => !name.test(part) || part === '.' || part === '..')
  if (wrong || key.length > 900) throw new Error(`${JSON.stringify(key)} cannot be the key of an object`)
  return key
}
