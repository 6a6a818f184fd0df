import type { InboxAdapter } from './adapter.ts'
import type { InboxKind } from '@svc/facts'
import { approval } from './approval.ts'
import { budgetBlock } from './budget-block.ts'
import { changeRequest } from './change-request.ts'
import { connection } from './connection.ts'
import { manifestInvalid } from './manifest-invalid.ts'
import { notice } from './notice.ts'
import { permission } from './permission.ts'
import { question } from './question.ts'
import { review } from './review.ts'
import { secretMissing } from './secret-missing.ts'
import { sessionFailed } from './session-failed.ts'
import { triggerFailure } from './trigger-failure.ts'
import { unknownCall } from './unknown-call.ts'

/** Every kind with its adapter: a new one is a file, and a line here. */
export const inboxAdapters: Readonly<Record<InboxKind, InboxAdapter>> = {
  question,
  permission,
  change_request: changeRequest,
  session_failed: sessionFailed,
  trigger_failure: triggerFailure,
  manifest_invalid: manifestInvalid,
  secret_missing: secretMissing,
  budget_block: budgetBlock,
  review,
  approval,
  unknown_call: unknownCall,
  connection,
  notice,
}
