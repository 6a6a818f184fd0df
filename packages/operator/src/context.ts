import type { Context } from '@svc/context'

/** The parts that a verb needs to look at something. */
export type Looking = Pick<Context, 'db' | 'principal' | 'trail' | 'now'>

/** And to change it. */
export type Changing = Looking & Pick<Context, 'newId' | 'enqueue' | 'log'>
