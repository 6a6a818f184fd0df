import { capabilities } from '@svc/facts'

/** Everything that a manifest may grant an agent, in the document's order. */
export const manifestCapabilities = [...capabilities, '*'] as const

export type ManifestCapability = (typeof manifestCapabilities)[number]
