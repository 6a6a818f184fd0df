export { deliveryId, repeatWindowMs } from './delivery-id.ts'
export { type DueSlots, dueSlots, mostMissed } from './due-slots.ts'
export { matchesFilter, renderSessionKey, sessionKeyLength } from './filter.ts'
export {
  type FireKind,
  fireKinds,
  type Overlap,
  overlaps,
  type SessionMode,
  sessionModes,
  type TriggerType,
  triggerTypes,
} from './kinds.ts'
export { isModelAvailable, type ModelChoices, type ModelOffers, resolveModel } from './model.ts'
export { cronPayload, type HeaderLookup, manualPayload, webhookPayload } from './payload.ts'
export { cutUtf8, outsideNotice, promptBytes, renderPrompt } from './prompt.ts'
export { nextSlot, nextSlots, runAt, type Schedule } from './schedule.ts'
export { type Payload, renderTemplate } from './template.ts'
export {
  type FireEvent,
  fireEvents,
  type FireStatus,
  fireStatusAfter,
  fireStatuses,
  fireStatusesAccepting,
  owedStatuses,
} from './transitions.ts'
export { judgeWebhook, type WebhookRequest, type WebhookVerdict } from './webhook-auth.ts'
