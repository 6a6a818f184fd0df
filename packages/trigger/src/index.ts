export { type DeliveryEvent, deliveryMachine, type DeliveryVerdict } from './delivery-machine.ts'
export { deliveryId, repeatWindowMs } from './delivery-id.ts'
export { type DueSlots, dueSlots, maxMissed } from './due-slots.ts'
export { type EventBudget, fullBudget, spendEvent } from './event-budget.ts'
export { type FireEvent, fireMachine, type FireStatus } from './fire-machine.ts'
export { matchesFilter, renderSessionKey, sessionKeyLength } from './filter.ts'
export { manifestEditMachine, type ManifestEditStatus } from './manifest-edit-machine.ts'
export {
  type LifecycleKind,
  lifecycleKinds,
  monitorLimits,
  type MonitorState,
  monitorStates,
} from './monitor-limits.ts'
export { lineValue, type MonitorFire, monitorLine, monitorPayload } from './monitor-line.ts'
export { cronPayload, type HeaderLookup, manualPayload, webhookPayload } from './payload.ts'
export { cutUtf8, outsideNotice, promptBytes, renderPrompt } from './prompt.ts'
export { type RestartVerdict, spendRestart } from './restart-budget.ts'
export { latestSlot, nextSlot, nextSlots, runAt, type Schedule } from './schedule.ts'
export { silenceAt } from './silence.ts'
export { type Payload, renderTemplate } from './template.ts'
export { judgeWebhook, type WebhookRequest, type WebhookVerdict } from './webhook-auth.ts'
