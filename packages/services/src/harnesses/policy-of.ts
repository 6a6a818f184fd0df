import type { BaseContext } from '@svc/context'
import { type HarnessPolicy, openPolicy } from '@svc/harness'

/** The operator's policy on harnesses; the open one where none was set. */
export const policyOf = ({ harnesses }: Pick<BaseContext['settings'], 'harnesses'>): HarnessPolicy =>
  harnesses ?? openPolicy
