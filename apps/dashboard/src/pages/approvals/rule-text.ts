import type { Approval } from '@svc/sdk'

/** The rule that decided, in words. */
export function ruleText(rule: Approval['rule']): string {
  if (rule === null) return 'it was asked for'
  if (rule.source === 'changed') return 'the action says something else than when it was accepted'
  if (rule.source === 'policy') return `the policy ${rule.match ?? ''} asks for it`
  return 'no policy names it, and it does more than read'
}
