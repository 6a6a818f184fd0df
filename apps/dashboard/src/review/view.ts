export const views = [
  ['split', 'Split'],
  ['unified', 'Unified'],
] as const

export type View = (typeof views)[number][0]
