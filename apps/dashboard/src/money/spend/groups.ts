/** Things that spend is shown by, in the order of their list. */
const words = {
  day: 'By day',
  project: 'By project',
  model: 'By model',
  agent: 'By agent',
  trigger: 'By trigger',
  session: 'By session',
  key: 'By key',
  provider: 'By provider',
} as const

export type SpendGroup = keyof typeof words

export const groupChoices = <G extends SpendGroup>(groups: readonly G[]) =>
  groups.map((group) => [group, words[group]] as const)

export const spendDays = ['7', '31', '90'] as const
export type SpendDays = (typeof spendDays)[number]

export const spendSpans = spendDays.map((days) => [days, `${days} days`] as const)
