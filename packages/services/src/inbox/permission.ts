import { asksOf } from './ask.ts'

/** Commands and tools that agents wait to be let use. */
export const permission = asksOf('permission')
