import type { SharedV3ProviderMetadata } from '@ai-sdk/provider'
import { jsonIn, objectOf, textOf } from '../dialects/kit/json.ts'

/** The proof of a piece of reasoning that its provider wants back: Anthropic's or OpenAI's. */
export type ReasoningProof = SharedV3ProviderMetadata

const prefix = 'svc1.'

/** The proof among a part's metadata; of several parts of one piece, the later ones add to the earlier. */
export function proofOf(
  metadata: SharedV3ProviderMetadata | undefined,
  before: ReasoningProof = {},
): ReasoningProof {
  const [anthropic, openai] = [objectOf(metadata?.['anthropic']), objectOf(metadata?.['openai'])]
  const fields = {
    signature: textOf(anthropic['signature']),
    redactedData: textOf(anthropic['redactedData']),
    itemId: textOf(openai['itemId']),
    reasoningEncryptedContent: textOf(openai['reasoningEncryptedContent']),
  }
  const { signature, redactedData, itemId, reasoningEncryptedContent } = fields
  const added = {
    anthropic: {
      ...(signature === null ? {} : { signature }),
      ...(redactedData === null ? {} : { redactedData }),
    },
    openai: {
      ...(itemId === null ? {} : { itemId }),
      ...(reasoningEncryptedContent === null ? {} : { reasoningEncryptedContent }),
    },
  }
  return Object.fromEntries(
    (['anthropic', 'openai'] as const).flatMap((vendor) => {
      const proof = { ...before[vendor], ...added[vendor] }
      return Object.keys(proof).length === 0 ? [] : [[vendor, proof]]
    }),
  )
}

/** A proof in one text, for a dialect that has a field for another's; null where there is none. */
export function sealProof(proof: ReasoningProof): string | null {
  const isEmpty = Object.keys(proof).length === 0
  return isEmpty ? null : prefix + Buffer.from(JSON.stringify(proof)).toString('base64url')
}

/** The proof in such a text; null where it is a provider's own. */
export function openProof(text: string | null): ReasoningProof | null {
  if (text === null || !text.startsWith(prefix)) return null
  const said = objectOf(jsonIn(Buffer.from(text.slice(prefix.length), 'base64url').toString('utf8')))
  const { anthropic, openai } = objectOf(said)
  return proofOf({ anthropic: plainTexts(anthropic), openai: plainTexts(openai) })
}

function plainTexts(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objectOf(value)).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])),
  )
}
