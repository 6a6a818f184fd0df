import { asksOf } from './ask.ts'

/** Questions that agents wait with. */
export const question = asksOf('question')
