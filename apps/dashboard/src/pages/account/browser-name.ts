const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** A browser as its owner calls it, of what it says of itself. */
export function browserName(user_agent: string | null): string {
  if (user_agent === null || user_agent === '') return 'A browser'
  const text = user_agent.replace('HeadlessChrome/', 'Chrome/')
  const name = browsers.find(([mark]) => text.includes(mark))?.[1]
  const system = systems.find(([mark]) => text.includes(mark))?.[1]
  if (name === undefined) return user_agent.slice(0, 60)
  return system === undefined ? name : `${name} on ${system}`
}
