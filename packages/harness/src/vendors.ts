import type { VendorVariables } from './known/known-harness.ts'
import type { HarnessDialect } from './words.ts'

/** The names by which the clients of each dialect's vendor find their address and key. */
export const vendorVariables: Readonly<Record<HarnessDialect, VendorVariables>> = {
  chat: { base: ['OPENAI_BASE_URL'], key: ['OPENAI_API_KEY'] },
  responses: { base: ['OPENAI_BASE_URL'], key: ['OPENAI_API_KEY'] },
  messages: { base: ['ANTHROPIC_BASE_URL'], key: ['ANTHROPIC_AUTH_TOKEN'] },
  generate_content: { base: ['GOOGLE_GEMINI_BASE_URL'], key: ['GEMINI_API_KEY'] },
  none: { base: [], key: [] },
}
