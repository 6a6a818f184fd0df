import type { z } from '@hono/zod-openapi'
import type { AccessRule } from '@svc/access'

/** One of the three places that decide about models and money, as its routes differ from those of the other two. */
export interface PlaceOfRoutes<
  Base extends string,
  Params extends z.ZodRawShape,
  Read extends AccessRule,
  Write extends AccessRule,
> {
  /** The path before `/providers`, `/budgets` and the like. */
  readonly base: Base
  readonly params: Params
  readonly tag: string
  /** The word of the place within the names of its operations. */
  readonly word: '' | 'Account' | 'Platform'
  /** The place as a sentence names it. */
  readonly of: string
  readonly read: Read
  readonly write: Write
}
