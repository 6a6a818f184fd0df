import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV3 } from '@ai-sdk/provider'
import { compatibleName } from '@svc/models'
import type { Provider } from '../config/provider.ts'

type Fetch = typeof globalThis.fetch

interface VendorSettings {
  readonly baseURL: string
  readonly fetch: Fetch
}

/** The key is put in where the request is sent, so that no library holds it. */
const apiKey = 'set-by-the-gateway'

/** The client of each kind of provider. A further vendor is a line here. */
const vendors: Readonly<
  Record<Exclude<Provider['kind'], 'demo'>, (settings: VendorSettings, id: string) => LanguageModelV3>
> = {
  openai: (settings, id) => createOpenAI({ ...settings, apiKey }).responses(id),
  openai_compatible: (settings, id) =>
    createOpenAICompatible({
      ...settings,
      name: compatibleName,
      includeUsage: true,
      supportsStructuredOutputs: true,
    })(id),
  anthropic: (settings, id) => createAnthropic({ ...settings, apiKey })(id),
}

export function vendorModel(
  kind: Exclude<Provider['kind'], 'demo'>,
  settings: VendorSettings,
  id: string,
): LanguageModelV3 {
  return vendors[kind](settings, id)
}
