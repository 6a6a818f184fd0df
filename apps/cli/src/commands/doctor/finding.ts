import type { CheckFinding } from '@svc/sdk/admin'

/** A finding of the platform, or of this machine in the same shape. */
export interface ShownFinding extends Omit<CheckFinding, 'check'> {
  readonly check: string
}

/** A finding of this machine, which a person puts right. */
export function failed(check: string, subject: string, message: string): ShownFinding {
  return { check, severity: 'error', project_id: null, subject, message, repairable: false, repaired: false }
}

/** Findings that are left: those that the run put right are not. */
export const isLeft = ({ repaired }: ShownFinding): boolean => !repaired
