export { createPreviewTicket } from './create-ticket.ts'
export { authorizePreview, type PreviewTarget } from './authorize.ts'
export { findPreview, openPreview, type OpenPreview } from './open.ts'
export { sweepPreviews } from './sweep.ts'
