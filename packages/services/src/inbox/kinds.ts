import type { Context } from '@svc/context'
import type { InboxKind } from '@svc/facts'
import { approval } from './approval.ts'
import { budgetBlock } from './budget-block.ts'
import { changeRequest } from './change-request.ts'
import { connection } from './connection.ts'
import type { InboxEntry } from './entry.ts'
import { manifestInvalid } from './manifest-invalid.ts'
import { notice } from './notice.ts'
import { permission } from './permission.ts'
import { question } from './question.ts'
import { review } from './review.ts'
import type { InboxScope } from './scope.ts'
import { secretMissing } from './secret-missing.ts'
import { sessionFailed } from './session-failed.ts'
import { triggerFailure } from './trigger-failure.ts'
import { unknownCall } from './unknown-call.ts'

/** Reads what waits of one kind, of the rows that it speaks of. The inbox has none of its own. */
export type InboxAdapter = (ctx: Pick<Context, 'db' | 'now'>, scope: InboxScope) => Promise<InboxEntry[]>

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
